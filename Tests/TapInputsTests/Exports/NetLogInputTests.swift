// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct NetLogInputTests {
  private let alive = Exports.event(1, phase: 1)
  private let dead = Exports.event(1, phase: 2)

  private func bytes(_ type: Int, _ base64: String, count: Int? = nil, source: Int = 34) -> String {
    let count = count.map { #""byte_count":\#($0),"# } ?? ""
    return Exports.event(type, source: source, #"\#(count)"bytes":"\#(base64)""#)
  }

  /// Lines without the hashes of what was said, and what was said.
  private func reported(_ events: String...) -> (lines: [String], text: String) {
    let file = Array((Exports.netLogHead + events.joined(separator: ",\n") + "]}").utf8)
    let sink = read(file)
    return (
      sink.lines.map { $0.replacing(/\ hash \d+/, with: "") },
      String(decoding: sink.streamed.map { $0 ?? 0x2E }, as: Unicode.UTF8.self)
    )
  }

  @Test func streams() {
    let sink = read(Exports.netLog)
    #expect(
      sink.lines.map { $0.replacing(/\ hash \d+/, with: "") } == [
        "opened 1 stream  ", "stream toServer at 0 4", "stream toClient at 0 4", "gap 1 toClient",
        "opened 2 stream  ", "stream toServer at 0 3", "closed 1 0",
      ])
  }

  @Test func times() {
    let sink = read(Exports.netLog(bytes(4, "YQ==")))
    #expect(sink.lines.count == 2)
    // The offset of the ticks and the ticks, in milliseconds.
    let recorded = Exports.netLog(
      bytes(4, "YQ=="), Exports.event(4, time: 7, #""bytes":"Yg==""#))
    #expect(read(recorded).streamed == [0x61, 0x62])
  }

  /// What is inside TLS counts, what carries it does not.
  @Test func secureSockets() {
    let reported = reported(
      alive, Exports.event(3, phase: 1), bytes(4, "FgMB"), bytes(5, "FgMD"), bytes(6, "YWI="),
      bytes(4, "FwMD"), bytes(7, "Y2Q="), dead)
    #expect(reported.text == "abcd")
    #expect(reported.lines.count == 4)
  }

  /// The log begins in the middle of a connection.
  @Test func lateLogs() {
    // A record of application data, five bytes of it.
    let reported = reported(bytes(4, "FwMDAAUBAgMEBQ=="), bytes(6, "YWI="))
    #expect(reported.text == "ab")
  }

  /// A proxy is asked for a tunnel, which TLS goes through.
  @Test func tunnels() {
    let reported = reported(
      alive, Exports.event(2, phase: 1), bytes(4, "Q09OTkVDVA=="), bytes(5, "MjAw"),
      Exports.event(3, phase: 1), bytes(4, "FgMB"), bytes(6, "YWI="), dead)
    #expect(
      reported.lines == [
        "opened 1 stream  ", "stream toServer at 0 7", "stream toClient at 0 3", "closed 1 0",
        "opened 2 stream  ", "stream toServer at 0 2", "closed 2 0",
      ])
  }

  /// The browser was connected to: it is the server, as of its own developer tools.
  @Test func acceptedSockets() {
    let reported = reported(alive, bytes(5, "R0VU"), bytes(4, "SFRUUA=="))
    #expect(reported.lines.dropFirst() == ["stream toServer at 0 3", "stream toClient at 0 4"])
  }

  @Test func withoutBytes() {
    let sink = read(
      Exports.netLog(
        alive, Exports.event(4, #""byte_count":732"#), Exports.event(8, source: 9, #""opcode":1"#),
        Exports.event(9, source: 9, #""opcode":1"#)))
    #expect(sink.codes == ["netlog.no-bytes"])
    #expect(sink.findings[0].text.contains("of 2 WebSocket frames"))
    #expect(sink.findings[0].text.contains("--net-log-capture-mode=Everything"))
    #expect(sink.findings[0].origin.record == 3)
    #expect(sink.lines.count == 1)
  }

  /// Bytes that an event speaks of and does not have are missing from what came before.
  @Test func missingBytes() {
    let without = Exports.event(4, #""byte_count":5"#)
    #expect(
      reported(bytes(4, "YQ=="), without, bytes(4, "Yg==")).lines.dropFirst() == [
        "stream toServer at 0 1", "gap 5 toServer", "stream toServer at 6 1",
      ])
    #expect(
      reported(bytes(4, "YQ=="), bytes(4, "?", count: 5), bytes(4, "??")).lines.dropFirst() == [
        "stream toServer at 0 1", "gap 5 toServer", "gap -1 toServer",
      ])
  }

  /// Chromium writes a line for each event; one that is killed leaves the list open.
  @Test func killedBrowsers() {
    let whole = Exports.netLog
    let events = Exports.netLogHead.utf8.count
    for cut in events..<whole.count - 1 {
      let sink = read(Array(whole[..<cut]))
      #expect(sink.codes == ["export.truncated"])
      let last = whole[..<cut].last { $0 != 0x0A }!
      let isBetween = [0x7D, 0x2C, 0x5B].contains(last)
      if sink.findings[0].severity == .note { #expect(isBetween, "\(cut)") }
    }
    let between = Array(String(decoding: whole, as: Unicode.UTF8.self).dropLast(2).utf8)
    #expect(read(between).findings.map(\.severity) == [.note])
    #expect(read(between + Array(",\n".utf8)).findings.map(\.severity) == [.note])
    // Somebody closed the brackets behind the last comma.
    #expect(read(between + Array(",\n]}".utf8)).findings.isEmpty)
  }

  @Test func constantsBehindTheEvents() {
    let file = Array((#"{"events":[\#(alive)],"constants":{"timeTickOffset":1}}"#).utf8)
    let sink = read(file)
    #expect(sink.codes == ["export.damaged"])
    #expect(sink.findings[0].origin.offset == 10)
  }

  @Test func manySockets() {
    var limits = Limits()
    limits.connections = 8
    let events = (0..<40).map { bytes(4, "YQ==", source: $0) }
    let file = Array((Exports.netLogHead + events.joined(separator: ",") + "]}").utf8)
    let sink = read([file], limits: limits).sink
    #expect(sink.streamed.count == 40)
    #expect(sink.lines.filter { $0.hasPrefix("closed") }.count == 32)
    #expect(sink.codes.count == 32 && Set(sink.codes) == ["export.connections-evicted"])
  }
}
