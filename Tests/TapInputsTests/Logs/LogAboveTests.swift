// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// What the line above a message says of it.
@Suite struct LogAboveTests {
  private func read(_ pieces: [[UInt8]]) -> LikeFloor {
    let sink = LikeFloor()
    var input = LogLine.input(String(decoding: pieces.joined(), as: Unicode.UTF8.self))
    for piece in pieces { input.receive(piece.span.bytes, sink) }
    input.finish(sink)
    return sink
  }

  private func told(_ text: String) -> [String] { read([Array(text.utf8)]).told }

  private static let list = #"[48,1,{},"com.example.add"]"#

  @Test(arguments: [
    ("Sending:", "toServer"), ("sent >>>", "toServer"), (">>>", "toServer"),
    ("Received message:", "toClient"), ("12:00:00 incoming frame <<", "toClient"),
    ("outgoing →", "toServer"), ("client -> server:", "toServer"),
    // What is printed behind a message says nothing of the next.
    ("sent", "unknown"), ("Sending...", "unknown"), ("ready:", "unknown"), ("", "unknown"),
    ("<p>", "unknown"), ("sent: [48,7,{},\"com.x\"] in 2 ms:", "unknown"),
  ])
  func words(above: String, direction: String) {
    for list in [Self.list, "  " + Self.list, "[\n  48, 1, {},\n  \"com.example.add\"\n]"] {
      let told = told("a line\n\(above)\n\(list)\n").last ?? ""
      #expect(told.split(separator: " ")[1] == direction, "\(list)")
    }
  }

  /// What is on its own line says more.
  @Test func ownWords() {
    #expect(told("Sending:\nreceived \(Self.list)\n").first?.contains("toClient") == true)
  }

  @Test func connections() {
    let told = told("conn=1 sending:\n\(Self.list)\nconn=2 sending:\n\(Self.list)\n")
    #expect(Set(told.map { $0.prefix { $0 != " " } }).count == 2)
  }

  @Test func times() {
    let sink = read([Array("2026-11-20 23:34:50 sending:\n\(Self.list)\n".utf8)])
    #expect(sink.recorder.messages.first?.delivery.origin.time != nil)
  }

  /// Nothing but numbers, behind the name of the message.
  @Test(arguments: [
    ("UNSUBSCRIBE: [34,4,77]", true), ("got it. Subscribed [33,1,5862354]", true),
    ("SUBSCRIBED: [34,1,5862354]", false), ("unsubscribed [33,1,5862354]", false),
    ("sizes [34,1,5862354]", false), ("[34,1,5862354]", false),
  ])
  func names(line: String, isMessage: Bool) {
    let sink = NumbersFloor()
    var input = LogLine.input(line) { NumbersTexts() }
    input.receive(Array(line.utf8).span.bytes, sink)
    input.finish(sink)
    #expect(sink.count == (isMessage ? 1 : 0))
  }

  @Test func cuts() {
    let text = Array("10:00:00 conn=1 sending:\n\(Self.list)\nreceived:\n[50,1,{}]\n".utf8)
    #expect(difference(forEveryCutOf: text) { read($0).told } == nil)
  }
}

/// A floor for which a list of numbers may be a message.
private final class NumbersFloor: EvidenceSink {
  private(set) var count = 0

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}
  func message(_: RawSpan, _: Delivery) { count += 1 }
}

/// A list of numbers may be a message.
private final class NumbersTexts: TextRecogniser {
  func recognise(_ _: RawSpan, _: Delivery.Kind) -> Recognition { Recognition(.possible) }
}
