// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `live [--rate N] [--seconds N] [--connections N] [--per-write N] [--program PATH] [--port N]`:
/// sends WAMP over WebSocket over the loopback interface at the given rate of messages per second
/// while wamptap captures it, then checks that every message was decoded. It needs permission to
/// capture.
@main
struct Live {
  private var rate = 100_000
  private var seconds = 60
  private var connections = 10
  private var perWrite = 10
  private var port = 8765
  private var program = ".build/release/wamptap"
  private var interface = "lo"

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    var live = Live()
    live.parse(CommandLine.arguments.dropFirst())
    exit(live.run() ? 0 : 1)
  }

  private mutating func parse(_ words: ArraySlice<String>) {
    var words = words
    while let word = words.popFirst() {
      guard let value = words.popFirst() else { Self.fail("\(word) takes a value") }
      let number = Int(value) ?? 0
      switch word {
      case "--rate": rate = number
      case "--seconds": seconds = number
      case "--connections": connections = number
      case "--per-write": perWrite = number
      case "--port": port = number
      case "--program": program = value
      case "--interface": interface = value
      default: Self.fail("there is no option \(word)")
      }
    }
    if min(rate, seconds, connections, perWrite, port) < 1 { Self.fail("numbers are 1 or more") }
  }

  private func run() -> Bool {
    let capture = Capture(program, interface: interface, port: port)
    var peers = (0..<connections).map { _ in Peers(port: UInt16(port)) }
    var sent = 0
    for index in peers.indices {
      sent += peers[index].begin(session: 9_000_000_000 + UInt64(index))
    }
    let start = Time.now
    var next = 0
    var behind = 0.0
    while true {
      let passed = Time.now - start
      if passed >= Double(seconds) { break }
      let due = Int(passed * Double(rate)) - (sent - 4 * connections)
      if due < perWrite {
        usleep(200)
        continue
      }
      behind = max(behind, Double(due) / Double(rate))
      sent += peers[next].send(perWrite)
      next = (next + 1) % peers.count
    }
    let took = Time.now - start
    for index in peers.indices { peers[index].end() }
    usleep(500_000)
    let report = capture.end()
    Self.report(
      "sent \(sent) messages in \(took) s on \(connections) connections, \(perWrite) to a write,"
        + " at most \(behind) s behind\n\(report.text)\n"
        + "processor time of wamptap: \(report.processorSeconds) s,"
        + " peak memory: \(report.peakBytes >> 20) MiB\n")
    let isWhole = report.messages == sent
    Self.report(isWhole ? "all of them were decoded\n" : "decoded: \(report.messages)\n")
    return isWhole
  }

  static func report(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
  }

  static func fail(_ text: String) -> Never {
    report("live: \(text)\n")
    exit(64)
  }
}
