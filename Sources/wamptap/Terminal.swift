// SPDX-License-Identifier: Apache-2.0
import TapSources

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the program asks of its terminal and its environment.
enum Terminal {
  enum Stream: Int32 { case standardInput, standardOutput, standardError }

  static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Columns of the terminal on standard output, as the environment or the terminal has them; nil
  /// when there is none.
  static var width: Int? {
    guard isTerminal(.standardOutput) else { return nil }
    var size = winsize()
    if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      return max(columns, leastWidth)
    }
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return max(Int(size.ws_col), leastWidth)
  }

  /// Lines of the terminal on standard output; nil when there is none that can be written over.
  static var height: Int? {
    var size = winsize()
    guard isTerminal(.standardOutput), environment("TERM") != "dumb",
      ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0
    else { return nil }
    return Int(size.ws_row)
  }

  /// Its current columns, also after it was resized.
  @Sendable static func currentWidth() -> Int {
    if Interruption.isResized(), let width { lastWidth = width }
    if lastWidth == 0 { lastWidth = width ?? leastWidth }
    return lastWidth
  }

  /// The least width that lines are made for; a narrower terminal breaks them.
  private static let leastWidth = 20

  /// Whether colours are wanted where nobody said so (https://no-color.org,
  /// https://bixense.com/clicolors).
  static var wantsColor: Bool {
    if let noColor = environment("NO_COLOR"), !noColor.isEmpty { return false }
    if let forced = environment("CLICOLOR_FORCE"), !forced.isEmpty, forced != "0" { return true }
    return isTerminal(.standardOutput) && environment("TERM") != "dumb"
  }

  /// Whether the locale says that the terminal takes UTF-8, which everything is written in.
  static var takesUTF8: Bool {
    _ = setlocale(LC_CTYPE, "")
    defer { _ = setlocale(LC_CTYPE, "C") }
    return nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }

  /// Seconds that the local clock is ahead of UTC at a second since 1970.
  @Sendable static func offset(at second: Int64) -> Int64 {
    var time = time_t(second)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return 0 }
    return Int64(local.tm_gmtoff)
  }

  /// Whether a line that is written over may stand on standard error: it is a terminal, and what is
  /// rendered goes elsewhere.
  static func showsProgress(outputIsFile: Bool) -> Bool {
    guard isTerminal(.standardError), environment("TERM") != "dumb" else { return false }
    return outputIsFile || !isTerminal(.standardOutput)
  }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return FileName.text(value)
  }

  static func write(_ text: String, to stream: Stream) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = systemWrite(
          stream.rawValue, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[done...])))
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        done += count
      }
    }
  }

  /// One line on standard error, controls escaped.
  ///
  /// - Parameter picture: lines below it, which show what is complained of.
  static func report(_ text: String, picture: [String] = []) {
    write("wamptap: \(Text.escaped(text))\n", to: .standardError)
    for line in picture { write(Text.escaped(line) + "\n", to: .standardError) }
  }

  /// A closed pipe is reported by write(2), not by a signal.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Takes the place of standard streams that are closed, so that no file that is opened becomes
  /// one of them; what is read or written there fails as before.
  static func holdStandardStreams() {
    for stream in 0...Int32(2) where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  static func exists(_ path: String) -> Bool { access(FileName.system(path), F_OK) == 0 }

  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(FileName.system(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}

/// Columns when they were asked for last; 0 before that. Only the thread that writes asks.
nonisolated(unsafe) private var lastWidth = 0
