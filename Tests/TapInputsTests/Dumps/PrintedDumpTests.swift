// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDumps
import TapLogs
import TapTesting
import TapTraffic
import Testing

/// Dumps that print bytes as text.
@Suite struct PrintedDumpTests {
  /// The bytes of a packet as tcpdump -A prints them.
  private static func printed(_ octets: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for (index, octet) in octets.enumerated() {
      if octet == 0x0D && index + 1 < octets.count && octets[index + 1] == 0x0A { continue }
      text.append((0x20...0x7E).contains(octet) || [9, 10].contains(octet) ? octet : 0x2E)
    }
    return text
  }

  /// A packet of IPv4 and TCP, both without options, and the line above it.
  private static func packet(
    _ payload: [UInt8], seq: Int? = nil, toServer: Bool = false, head: String = "23:46:12.475811 IP"
  ) -> [UInt8] {
    let total = 40 + payload.count
    let (client, server) = ([10, 0, 0, 7], [10, 0, 0, 1].map { UInt8($0) })
    let ends = toServer ? client.map { UInt8($0) } + server : server + client.map { UInt8($0) }
    let ip: [UInt8] = [0x45, 0, UInt8(total >> 8), UInt8(total & 255), 0, 1, 0x40, 0, 64, 6, 1, 2]
    let tcp: [UInt8] = [0x1F, 0x90, 0xC0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x18, 0, 64, 9, 9, 0, 0]
    let (one, other) =
      toServer ? ("10.0.0.7.50000", "10.0.0.1.8080") : ("10.0.0.1.8080", "10.0.0.7.50000")
    let numbers = seq.map { "seq \($0):\($0 + payload.count), " } ?? ""
    let line =
      "\(head) \(one) > \(other): Flags [P.], \(numbers)ack 1, win 64, length \(payload.count)\n"
    return Array(line.utf8) + printed(ip + ends + tcp + payload) + [0x0A]
  }

  /// An unmasked frame of text.
  private static func frame(_ text: String, first: UInt8 = 0x81) -> [UInt8] {
    let payload = Array(text.utf8)
    let length =
      payload.count < 126
      ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    return [first] + length + payload
  }

  private static func reported(_ file: [UInt8]) -> [String] {
    let (sink, kind) = read(text: [file])
    #expect(kind == "tcpdump-text")
    return sink.messages.map {
      "\($0.delivery.origin.direction) \($0.delivery.kind) "
        + String(decoding: $0.bytes, as: Unicode.UTF8.self)
    }
  }

  private static let event = #"[36,5512315355,4429313566,{},["com.example"],{"n":1.5}]"#

  private static let long = "[36,1,2,{},[\"" + String(repeating: "a", count: 200) + "\"]]"
  private static let two: [UInt8] = frame("[33,1,5862354]") + frame(event)
  private static let accents: [UInt8] = frame("[36,1,2,{},[\"hé...\"]]")
  private static let list = Array(event.utf8)
  private static let tooShort: [UInt8] = [0x81, 0x21] + list
  private static let tooLong: [UInt8] = [0x81, 0x60] + list
  private static let masked: [UInt8] =
    [0x81, 0x8E, 1, 2, 3, 4] + Array("Z110-3+7*0037?".utf8)

  private static let cases: [(payload: [UInt8], expected: [String])] = [
    (frame(event), ["toClient text " + event]),
    (two, ["toClient text [33,1,5862354]", "toClient text " + event]),
    // A character of two bytes, which two dots would be as well.
    (accents, ["toClient dottedText [36,1,2,{},[\"h·····\"]]"]),
    (frame(long), ["toClient text " + long]),
    // Ends of lines, of which CR LF is printed as one.
    (frame("[36,1,2,{},\r\n[\"line\"]]"), ["toClient text [36,1,2,{},\n[\"line\"]]"]),
    // No frame, or one that is longer or shorter than the list.
    (Array("x[33,1,5862354]".utf8), []), (tooShort, []), (tooLong, []),
    // Masked, whatever it looks like.
    (masked, []),
  ]

  @Test("a frame whose length fits is a message", arguments: cases)
  func frames(payload: [UInt8], expected: [String]) {
    #expect(Self.reported(Self.packet(payload)) == expected)
    let pieces =
      Self.packet(Array(payload.prefix(9)), seq: 1)
      + Self.packet(Array(payload.dropFirst(9)), seq: 10)
    #expect(Self.reported(pieces) == expected, "in two packets")
    let swapped =
      Self.packet([0x8A, 0], seq: 1) + Self.packet(Array(payload.dropFirst(9)), seq: 12)
      + Self.packet(Array(payload.prefix(9)), seq: 3)
    #expect(Self.reported(swapped) == expected, "in the wrong order")
  }

  @Test(
    "the line above a packet in all its forms",
    arguments: [
      "IP", "1795217706.283975 IP", "2026-11-20 23:46:12.475811 IP", " 00:00:00.000011 IP",
      "    1  23:46:12.475811 IP", "23:46:12.475811 lo    In  IP",
      "23:46:12.475811 00:00:00:00:00:00 (oui Ethernet) > 00:00:00:00:00:01 (oui Ethernet),"
        + " ethertype IPv4 (0x0800), length 74:",
      "23:46:12.475811 IP (tos 0x0, ttl 64, id 28243, offset 0, flags [DF], proto TCP (6),"
        + " length 60)\n   ",
    ])
  func heads(head: String) {
    let file = Self.packet(Self.frame(Self.event), head: head)
    #expect(Self.reported(file) == ["toClient text " + Self.event])
  }

  @Test("a message that comes in frames is none that may be put together")
  func fragments() {
    let text = Array(Self.event.utf8)
    let first: [UInt8] = [0x01, 40] + text[..<40]
    let second: [UInt8] = [0x80, UInt8(text.count - 40)] + text[40...]
    #expect(Self.reported(Self.packet(first + second)) == [])
  }

  @Test("what is missing is reported, and what follows is read")
  func gap() {
    let file =
      Self.packet(Self.frame(Self.event), seq: 1) + Self.packet(Self.frame("[35,7]"), seq: 900)
    let (sink, _) = read(text: [file])
    #expect(sink.messages.count == 2)
    #expect(sink.codes == ["dump.dots", "dump.clock"] || sink.codes.contains("dump.dots"))
    #expect(sink.lines.filter { $0.hasPrefix("gap -1 toClient") }.count == 2)
  }

  @Test("other text is not taken for it")
  func others() {
    #expect(
      read(text: [Array("23:46:12.475811 IP a.1 > b.2: Flags [S], seq 1, length 0\n".utf8)]).kind
        != "tcpdump-text")
    #expect(read(text: [Array("12:00:00.1 IP allowed\n[33,1,5862354]\n".utf8)]).kind == "log")
  }

  @Test("a followed stream says who sent how much")
  func followed() {
    let frame = String(decoding: Self.printed(Self.frame(Self.event)), as: Unicode.UTF8.self)
    let file = """

      ===================================================================
      Follow: tcp,ascii
      Filter: tcp.stream eq 0
      Node 0: 127.0.0.1:54862
      Node 1: 127.0.0.1:8080
      4
      ....
      \t\(frame.utf8.count)
      \(frame)

      """
    let (sink, kind) = read(text: [Array(file.utf8)])
    #expect(kind == "followed-text")
    #expect(sink.messages.map { $0.bytes } == [Array(Self.event.utf8)])
    let saved =
      "GET /ws HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n" + frame
    let whole = read(text: [Array(saved.utf8)])
    #expect(whole.kind == "followed-text")
    #expect(whole.sink.messages.map { $0.bytes } == [Array(Self.event.utf8)])
    let cut = difference(forEveryCutOf: Array(saved.utf8)) { read(text: $0).sink.lines }
    #expect(cut == nil)
    #expect(difference(forEveryCutOf: Array(file.utf8)) { read(text: $0).sink.lines } == nil)
  }

  @Test("every cut gives the same")
  func cuts() {
    let file =
      Self.packet(Array("GET /ws HTTP/1.1\r\nHost: h\r\n\r\n".utf8), seq: 1, toServer: true)
      + Self.packet(Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8), seq: 1)
      + Self.packet(Self.frame(Self.event), seq: 37) + Self.packet(Self.frame("[35,7]"), seq: 800)
    #expect(difference(forEveryCutOf: file) { read(text: $0).sink.lines } == nil)
    #expect(read(text: [file]).sink.lines.contains { $0.contains("ws://h/ws") })
  }
}
