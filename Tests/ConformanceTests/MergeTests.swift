// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCaptures
import TapEvidence
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Several files are one timeline: captures whose packets were dealt to several files tell the same
/// as the whole.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct MergeTests {
  enum Deal: CaseIterable, Sendable {
    /// Packet by packet, at random.
    case random
    /// One file after the other (tcpdump -W), named in any order.
    case rotated
    /// Long runs at random, which overlap.
    case runs
  }

  private static let names = [
    "wamp-rpc-basic.pcap", "wamp-fragmented.pcap", "wamp-deflate-takeover.pcap",
    "net-loss-clientside.pcap", "var-lost-packets.pcap", "var-midstream-no-handshake.pcap",
    "net-clean-serverside.pcap", "var-one-direction-from-client.pcap",
  ]

  @Test(arguments: names, Deal.allCases) func dealt(name: String, deal: Deal) throws {
    let whole = try Self.sorted(name)
    let expected = Self.lines([whole.bytes])
    #expect(!expected.isEmpty)
    for seed in 1...3 {
      var random = Seeded(UInt64(seed))
      let files = Self.deal(whole, deal, &random).map(\.bytes)
      let most = [1, 3000, 1 << 18][seed - 1]
      #expect(Self.lines(files, most: most) == expected, "seed \(seed), \(files.count) files")
    }
  }

  /// Two machines that see every packet, a little apart: no message is reported twice.
  @Test(arguments: names, [0, 900, 40_000, 3_000_000] as [UInt64])
  func seenTwice(name: String, later: UInt64) throws {
    let whole = try Self.sorted(name)
    var copy = whole
    for index in copy.packets.indices { copy.packets[index].time += later }
    let messages = { (lines: [String]) in
      lines.filter { $0.contains(#""event":"message""#) }
    }
    let expected = messages(Self.lines([whole.bytes], times: false))
    #expect(messages(Self.lines([whole.bytes, copy.bytes], times: false)) == expected)
  }

  /// Every file but the broken one is read.
  @Test func cutFile() throws {
    let whole = try Self.sorted("wamp-rpc-basic.pcap")
    var random = Seeded(1)
    var files = Self.deal(whole, .rotated, &random).map(\.bytes)
    files.insert(Array(whole.bytes.prefix(30)), at: 1)
    let lines = Self.lines(files)
    let findings = lines.filter { $0.contains(#""event":"finding""#) }
    // What the sessions themselves break is found in the whole, too.
    let ofFiles = findings.filter { !$0.contains(#""code":"wamp."#) }
    #expect(ofFiles.count == 1)
    #expect(ofFiles.first?.contains("pcap.truncated") == true)
    let ofSessions = Self.lines([whole.bytes]).filter { $0.contains(#""event":"finding""#) }
    #expect(findings.count == ofSessions.count + 1)
    let expected = Self.lines([whole.bytes]).filter { $0.contains(#""event":"message""#) }
    #expect(lines.filter { $0.contains(#""event":"message""#) } == expected)
  }

  /// A capture in the order of its times: what merging can give back.
  private static func sorted(_ name: String) throws -> PcapFile {
    var file = try PcapFile(Captures.bytes(of: Captures.path(name)))
    let order = file.packets.indices.sorted {
      (file.packets[$0].time, $0) < (file.packets[$1].time, $1)
    }
    file.packets = order.map { file.packets[$0] }
    return file
  }

  private static func deal(_ whole: PcapFile, _ deal: Deal, _ random: inout Seeded) -> [PcapFile] {
    let count = Int.random(in: 2...4, using: &random)
    var files = [PcapFile](repeating: whole, count: count)
    for index in files.indices { files[index].packets = [] }
    var current = 0
    for (index, packet) in whole.packets.enumerated() {
      // Equal times come in the order of the files, so they stay together here.
      let isFree = index == 0 || packet.time != whole.packets[index - 1].time
      switch deal {
      case .random: if isFree { current = Int.random(in: 0..<count, using: &random) }
      case .rotated:
        let next = index * count / whole.packets.count
        if isFree { current = next }
      case .runs:
        if isFree && Int.random(in: 0..<20, using: &random) == 0 {
          current = Int.random(in: 0..<count, using: &random)
        }
      }
      files[current].packets.append(packet)
    }
    return deal == .rotated ? files.shuffled(using: &random) : files
  }

  /// What is reported of several files, without where it was found.
  ///
  /// - Parameter most: bytes of a chunk.
  private static func lines(
    _ files: [[UInt8]], most: Int = 1 << 18, times: Bool = true
  ) -> [String] {
    let inspector = Inspector(NDJSONRenderer(inputs: ["-"]), Inspector.Options())
    let engine = Engine(inspector, limits: Limits())
    let timeline = Timeline(count: files.count, onto: engine)
    var inputs = files.indices.map { PcapInput(Place(input: UInt16($0)), limits: Limits()) }
    var rest = files.map { $0[...] }
    while let number = timeline.advance() {
      let chunk = ContiguousArray(rest[number].prefix(most))
      rest[number] = rest[number].dropFirst(most)
      if chunk.isEmpty {
        inputs[number].finish(timeline.sink(number))
        timeline.end(number)
      } else {
        inputs[number].receive(chunk.span.bytes, timeline.sink(number))
      }
    }
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    text = text.replacing(/,"origin":\{"input":"-"(,"packet":\d+)?\}/, with: "")
    // Findings may name the packet, whose number is that of its file.
    text = text.replacing(/in packet \d+/, with: "in its packet")
    if !times {
      text = text.replacing(/"time":"[^"]*",/, with: "")
      text = text.replacing(/"latency(AtMost)?":[\d.]+,/, with: "")
    }
    return text.split(separator: "\n").map { String($0) }
  }
}
