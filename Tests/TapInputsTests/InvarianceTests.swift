// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCaptures
import TapEvidence
import TapExports
import TapLogs
import TapTesting
import TapTraffic
import Testing

@Suite struct InvarianceTests {
  @Test(arguments: everyShape.map(\.name))
  func everyCutTellsTheSame(name: String) throws {
    let file = try #require(everyShape.first { $0.name == name }).file
    let reported = difference(forEveryCutOf: file) { read($0).sink.lines }
    #expect(
      reported == nil,
      "\(name): \(reported?.pieces ?? []) \(reported?.whole ?? []) \(reported?.cut ?? [])")
  }

  @Test(arguments: everyShape.map(\.name))
  func mutationsNeverCrashAndNeverDependOnCuts(name: String) throws {
    let file = try #require(everyShape.first { $0.name == name }).file
    var random = Seeded(UInt64(file.count))
    for _ in 0..<150 {
      var mutated = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<mutated.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: mutated[at] = UInt8.random(in: 0...255, using: &random)
        case 1: mutated.remove(at: at)
        default: mutated.insert(UInt8.random(in: 0...255, using: &random), at: at)
        }
      }
      let whole = read([mutated])
      let bytewise = read(mutated.map { [$0] })
      #expect(whole.kind == bytewise.kind)
      #expect(whole.sink.lines == bytewise.sink.lines)
    }
  }

  /// Files without the recognition in front, as an owner that knows the kind would use them.
  @Test func wrongKindIsAFinding() {
    let sink = SinkRecorder()
    let text = ContiguousArray("no capture at all, only words".utf8)
    var pcap = PcapInput(Place(input: 0), limits: Limits())
    pcap.receive(text.span.bytes, sink)
    pcap.finish(sink)
    var pcapng = PcapngInput(Place(input: 0), limits: Limits())
    pcapng.receive(text.span.bytes, sink)
    pcapng.finish(sink)
    #expect(sink.codes == ["pcap.damaged", "pcapng.damaged"])
    #expect(sink.lines[0].hasSuffix("not read"))
  }

  @Test func recognition() {
    for (name, file) in everyShape {
      let word = name.split(separator: " ")[0]
      let kind =
        switch word {
        case "pcap", "kuznetzov": "pcap"
        case "pcapng", "rich": "pcapng"
        case "gzip": "gzip"
        case "utf-16": "utf-16"
        case "har": "har"
        case "flow": "mitmproxy"
        case "netlog": "netlog"
        case "ndjson": "ndjson"
        case "browser": "browser-events"
        case "docker": "docker"
        case "journal": "journal"
        case "collected": "collected"
        case "records": "records"
        default: "messages"
        }
      #expect(read([file]).kind == kind, "\(name)")
    }
    #expect(read([]).kind == "unknown")
    for text in ["x", " \n ", "{}", "GET / HTTP/1.1", "\u{FEFF}", "\n\r\r\n then text, more"] {
      #expect(read([Array(text.utf8)]).kind == "log", "\(text)")
    }
    // Lines of logs begin with brackets, too.
    for text in ["[[main]] INFO x", "[[[[\n[ok] sent [36,1,2,{}]", "[[1],[2]] x", "[['a']]"] {
      #expect(read([Array(text.utf8)]).kind == "log", "\(text)")
    }
    for text in ["[[1],[\"]x\"]]", "[[", "[[true,-1.5E2,{}]]\n", "[[1],\n[2]]\n[3]"] {
      #expect(read([Array(text.utf8)]).kind == "messages", "\(text)")
    }
    #expect(read([[0x1F, 0x8B, 7, 0]]).kind == "unknown")
  }

  @Test func headIsBounded() {
    var limits = Limits()
    limits.undecidedBytes = 100
    let blanks = [UInt8](repeating: 0x20, count: 100)
    #expect(read([blanks, Array("[1]".utf8)], limits: limits).kind == "unknown")
  }
}
