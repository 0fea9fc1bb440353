// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A wamptap process that captures while this program sends.
struct Capture {
  struct Report {
    /// Its status report.
    var text: String
    var messages: Int
    var processorSeconds: Double
    var peakBytes: Int
  }

  private let process: pid_t
  /// Its standard error.
  private let complaints: Int32

  /// Starts it, and waits until it captures.
  init(_ program: String, interface: String, port: Int) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { Live.fail("no pipe") }
    var actions: posix_spawn_file_actions_t = Self.noActions
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    let words = [program, "-i", interface, "tcp port \(port)"]
    var arguments = words.map { strdup($0) } + [nil]
    var process = pid_t()
    let status = posix_spawn(&process, program, &actions, nil, &arguments, environ)
    if status != 0 { Live.fail("\(program): \(String(cString: strerror(status)))") }
    close(ends[1])
    (self.process, complaints) = (process, ends[0])
    let first = Self.line(complaints)
    guard first.contains("capturing on") else { Live.fail("it does not capture: \(first)") }
    usleep(200_000)
  }

  /// Requests its status report, and ends it.
  func end() -> Report {
    kill(process, SIGUSR1)
    let text = Self.line(complaints)
    kill(process, SIGTERM)
    var status: Int32 = 0
    var usage = rusage()
    wait4(process, &status, 0, &usage)
    // "wamptap: after 1:00: 6000040 messages in 10 connections; …"
    let words = text.split(separator: " ")
    let at = words.firstIndex { $0.hasPrefix("message") } ?? 0
    let seconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    #if canImport(Darwin)
      let peak = usage.ru_maxrss
    #else
      let peak = usage.ru_maxrss << 10
    #endif
    return Report(
      text: text, messages: at > 0 ? Int(words[at - 1]) ?? 0 : 0, processorSeconds: seconds,
      peakBytes: peak)
  }

  private static func line(_ descriptor: Int32) -> String {
    var octets: [UInt8] = []
    var octet: UInt8 = 0
    while read(descriptor, &octet, 1) == 1 && octet != 0x0A { octets.append(octet) }
    return String(decoding: octets, as: UTF8.self)
  }

  #if canImport(Darwin)
    private static var noActions: posix_spawn_file_actions_t { nil }
  #else
    private static var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  #endif
}
