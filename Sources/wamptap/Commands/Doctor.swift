// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapLibraries
import TapSources

/// `wamptap doctor`: what works here, what does not, and what to do about it.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what works here: live capture, terminal, settings.",
    discussion: """
      Each line begins with 'ok', with 'warning' where something cannot be used, or with 'broken' \
      where something is wrong; what to do about it stands below.

      Exit status: 0 nothing is broken, 1 something is, 64 bad usage.
      """)

  /// What was found of one thing.
  private struct Finding {
    enum State: String { case ok, warning, broken }

    var state: State
    var text: String
    var remedies: [String] = []

    init(_ state: State, _ text: String, _ remedies: [String] = []) {
      (self.state, self.text, self.remedies) = (state, text, remedies)
    }
  }

  func run() throws {
    let findings = [program] + capture + libraries + [terminal, names, keyLog]
    var text = ""
    for finding in findings {
      let state = finding.state.rawValue
      let indent = String(repeating: " ", count: 9)
      text += state + indent.dropFirst(state.count) + Text.escaped(finding.text) + "\n"
      for line in finding.remedies { text += indent + Text.escaped(line) + "\n" }
    }
    try Output.show(text)
    if findings.contains(where: { $0.state == .broken }) { throw ExitCode(1) }
  }

  private var program: Finding {
    let isBuilt = NetworkInterface.canBeCaptured
    return Finding(
      .ok,
      "\(Wamptap.configuration.version), built \(isBuilt ? "with" : "without") live capture:"
        + " \(CapturePermission.program)")
  }

  /// libpcap, the right to capture, and what there is to be captured.
  private var capture: [Finding] {
    let instead = "let tcpdump capture: sudo tcpdump -i any -U -w - | wamptap -"
    if !NetworkInterface.canBeCaptured {
      return [Finding(.warning, "live capture was left out of this build", [instead])]
    }
    guard let version = NetworkInterface.libraryVersion else {
      return [Finding(.warning, CaptureError.noLibrary.description, ["or \(instead)"])]
    }
    var findings = [Finding(.ok, version)]
    let all: [NetworkInterface]
    do {
      all = try NetworkInterface.all()
    } catch {
      return findings + [Finding(.warning, error.description, [instead])]
    }
    let up = all.filter(\.isUp)
    guard let tried = up.first(where: \.isLoopback) ?? up.first else {
      return findings + [Finding(.warning, "there is no interface that is up", [instead])]
    }
    do {
      _ = try tried.linkType()
      let who = Privileges.isRoot ? ", as root" : ""
      findings.append(Finding(.ok, "there is the right to capture (tried on \(tried.name)\(who))"))
    } catch {
      let remedies = CapturePermission.remedies(
        interfaces: [tried.name], filter: "", words: ["-i", tried.name])
      findings.append(Finding(.warning, error.description, remedies))
    }
    let names = up.map(\.name).joined(separator: ", ")
    return findings + [
      Finding(.ok, "\(up.count) of \(all.count) interfaces are up: \(names)")
    ]
  }

  /// The shared libraries that are loaded when they are first needed.
  private var libraries: [Finding] {
    func library(_ library: SharedLibrary, _ version: String?, _ use: String) -> Finding {
      guard let version else {
        return Finding(.warning, "\(library.name) cannot be loaded: \(use)", [library.remedy])
      }
      return Finding(.ok, "\(library.name) \(version)")
    }
    return [
      library(.libcrypto, Libcrypto.version, "TLS stays closed, and no signature is checked"),
      library(.libnghttp2, HPACKInflater.version, "header fields of HTTP/2 cannot be read"),
      library(.libyaml, YAMLDocument.version, "no names file can be read"),
    ]
  }

  private var terminal: Finding {
    guard Terminal.isTerminal(.standardOutput) else {
      return Finding(.ok, "standard output is no terminal: lines are not cut, and have no colours")
    }
    let color = Terminal.wantsColor ? "colours" : "no colours"
    let width = Terminal.width.map { "\($0) columns" } ?? "a width that is not known"
    let what = "the terminal has \(width) and \(color)"
    if Terminal.takesUTF8 { return Finding(.ok, "\(what), and takes UTF-8") }
    return Finding(
      .warning, "\(what), but the locale is none of UTF-8, which arrows and dots are written in",
      ["export LC_CTYPE=C.UTF-8"])
  }

  private var names: Finding {
    guard let path = NamesFile.usual else {
      return Finding(
        .warning, "there is no folder of settings: neither XDG_CONFIG_HOME nor HOME is set",
        ["name the file by --names"])
    }
    if !Terminal.isFile(path) {
      return Finding(.ok, "no names of values: \(path) would be read if it were there")
    }
    do {
      _ = try NamesFile.read(path)
      return Finding(.ok, "names of values: \(path)")
    } catch {
      return Finding(.broken, error.text, ["correct it, or read on with --no-names"])
    }
  }

  /// Where browsers and TLS libraries are asked to write their secrets.
  private var keyLog: Finding {
    guard let path = Terminal.environment("SSLKEYLOGFILE"), !path.isEmpty else {
      return Finding(.ok, "SSLKEYLOGFILE is not set: no program started here logs keys of TLS")
    }
    if Terminal.isFile(path) { return Finding(.ok, "SSLKEYLOGFILE is \(path)") }
    return Finding(
      .warning, "SSLKEYLOGFILE is \(path), which is no file yet",
      ["start the client with the same setting, and let it connect"])
  }
}
