// SPDX-License-Identifier: Apache-2.0
import TapBytes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How to get the right to capture here, as commands that can be copied.
enum CapturePermission {
  /// - Parameters:
  ///   - interfaces: that were asked for.
  ///   - words: the arguments of this run.
  static func remedies(interfaces: [String], filter: String, words: [String]) -> [String] {
    var lines: [String] = []
    let interface = interfaces.first ?? "any"
    if Privileges.isRoot {
      lines.append(
        "even root may not here: in a container, start it with --cap-add NET_RAW"
          + " --cap-add NET_ADMIN, or let its host capture")
    } else {
      #if canImport(Darwin)
        lines.append("once for all, give your user access to /dev/bpf*, as Wireshark does:")
        lines.append("    brew install --cask wireshark-chmodbpf")
      #else
        lines.append("once for all:")
        lines.append(
          "    sudo setcap cap_net_raw,cap_net_admin=eip \(quoted(program))")
      #endif
      lines.append("or this once:")
      // sudo passes on no variable that names a key log.
      var words = words
      let isGiven = words.contains { $0 == "--keylog" || $0.hasPrefix("--keylog=") }
      if !isGiven, let log = Terminal.environment("SSLKEYLOGFILE"), !log.isEmpty {
        words += ["--keylog", log]
      }
      lines.append("    sudo \(([called] + words).map(quoted).joined(separator: " "))")
    }
    lines.append("or let tcpdump capture, here or on another machine:")
    let dump = ["-i", interface, "-U", "-w", "-"] + filter.split(separator: " ").map(String.init)
    let sudo = Privileges.isRoot ? "" : "sudo "
    lines.append(
      "    \(sudo)tcpdump \(dump.map(quoted).joined(separator: " ")) | \(quoted(called)) -")
    return lines
  }

  /// The file of this program.
  static var program: String {
    #if canImport(Darwin)
      var room = [CChar](repeating: 0, count: 4096)
      var count = UInt32(room.count)
      if _NSGetExecutablePath(&room, &count) == 0 { return String(cString: room) }
    #else
      if let resolved = realpath("/proc/self/exe", nil) {
        defer { free(resolved) }
        return String(cString: resolved)
      }
    #endif
    return CommandLine.arguments[0]
  }

  /// The program as one types it; by its whole path where sudo would not find it.
  private static var called: String {
    let known = ["/usr/bin/wamptap", "/usr/local/bin/wamptap", "/usr/sbin/wamptap"]
    return known.contains(program) ? "wamptap" : program
  }

  /// A word as a shell reads it again.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { octet in
      octet.isWord || "-./,:=@%+#".utf8.contains(octet)
    }
    if plain && !word.isEmpty && !word.hasPrefix("#") { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
