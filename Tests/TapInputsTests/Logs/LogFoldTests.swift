// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Logs whose lines were broken at the last column of a window.
@Suite struct LogFoldTests {
  private static let messages = [
    #"sent [48,7814135,{"receive_progress":true},"com.example.report",["běžecké boty",2026,3]]"#,
    #"received [50,7814135,{"progress":true},[{"done":"a quarter, 'as it seems', of all of it"}]]"#,
    #"received [50,7814136,{},["closed for the night, the archive is, until it opens again"]]"#,
    #"sent [32,713845233,{},"com.example.orders.created"]"#,
    #"received [33,713845233,5512315355]"#,
    #"received [36,5512315355,4429313566,{},[1,2.5,null,true],{"colour":"orange","sizes":[23,42]}]"#,
    #"received { [16, 1, { acknowledge: true }, 'com.example.orders.created', [ 'it is' ] ] }"#,
    "other words of the same program, which are as long as those of messages, or longer than they",
  ]

  private static let lines: [(name: String, make: @Sendable (Int, String) -> String)] = [
    ("times", { "2026-11-20 23:34:5\($0).123 DEBUG transport: " + $1 }),
    ("records", { #"{"time":"2026-11-20T23:34:5\#($0).123Z","message":"\#(escaped($1))"}"# }),
    ("collected", { "app-1  | \($0) " + $1 }),
  ]

  private static func escaped(_ text: String) -> String {
    text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Broken behind so many characters, or bytes.
  private func fold(_ lines: [String], _ width: Int, isInOctets: Bool, end: String) -> [UInt8] {
    var text: [UInt8] = []
    for line in lines {
      let characters: [[UInt8]] =
        isInOctets ? line.utf8.map { [$0] } : line.unicodeScalars.map { Array(String($0).utf8) }
      for start in stride(from: 0, to: characters.count, by: width) {
        text += characters[start..<min(start + width, characters.count)].joined()
        text += end.utf8
      }
    }
    return text
  }

  private func read(_ pieces: [[UInt8]], isWhole: Bool = true) -> LikeFloor {
    var choice = InputChoice()
    choice.isWhole = isWhole
    let sink = LikeFloor()
    let text = String(decoding: pieces.joined(), as: Unicode.UTF8.self)
    var input = LogLine.input(text, choice: choice)
    for piece in pieces { input.receive(piece.span.bytes, sink) }
    input.finish(sink)
    return sink
  }

  /// What was told, without the lines where it stood.
  private func told(_ sink: LikeFloor) -> [String] {
    sink.told.map { String($0.drop { $0 != " " }) }
  }

  private func isFolded(_ sink: LikeFloor) -> Bool {
    sink.recorder.lines.contains { $0.contains("broken at column") }
  }

  @Test(arguments: lines.map(\.name)) func wholeLog(name: String) {
    let make = Self.lines.first { $0.name == name }!.make
    let lines = Self.messages.enumerated().map { make($0, $1) }
    let plain = read([Array(lines.map { $0 + "\n" }.joined().utf8)])
    #expect(told(plain).count == 6 && !isFolded(plain))
    for width in 48...72 {
      for isInOctets in [false, true] {
        for end in ["\n", "\r\n"] {
          let folded = read([fold(lines, width, isInOctets: isInOctets, end: end)])
          #expect(
            told(folded).joined(separator: "\n") == told(plain).joined(separator: "\n"),
            "\(width) \(isInOctets ? "octets" : "columns")")
          #expect(isFolded(folded), "\(width) \(isInOctets ? "octets" : "columns")")
        }
      }
    }
  }

  /// Lines keep their numbers.
  @Test func numbers() {
    let lines = Self.messages.enumerated().map { Self.lines[0].make($0, $1) }
    let text = fold(lines, 70, isInOctets: false, end: "\n")
    var (number, numbers): (UInt64, [UInt64]) = (1, [])
    for line in lines {
      numbers.append(number)
      number += UInt64((line.unicodeScalars.count + 69) / 70)
    }
    let records = read([text]).recorder.messages.map(\.delivery.origin.record)
    #expect(records == Array(numbers.dropLast(2)))
  }

  /// Without times, and where what follows has not come: a list tells that it goes on.
  @Test func lists() {
    let lines = Array(Self.messages[...5])
    let plain = told(read([Array(lines.map { $0 + "\n" }.joined().utf8)], isWhole: false))
    // The first message is in three parts, or a window has this width.
    for width in Array(40...43) + [80] {
      let folded = read([fold(lines, width, isInOctets: false, end: "\r\n")], isWhole: false)
      #expect(told(folded).joined(separator: "\n") == plain.joined(separator: "\n"), "\(width)")
    }
  }

  @Test(arguments: [
    // What is logged again and again is as wide each time.
    Array(
      repeating: """
        2026-11-20 23:34:50 ERROR the service at the other end does not answer any more
        Traceback (most recent call last):
        """, count: 9
    ).joined(separator: "\n"),
    // Rows of bytes below a time.
    (0..<9).map {
      """
      2026-11-20 23:34:5\($0) read 32 octets
      0000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 6\($0)  0123456789abcde\($0)
      0010  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 6\($0)  0123456789abcde\($0)
      """
    }.joined(separator: "\n"),
    // What is above a message, and is as wide each time.
    (0..<9).map {
      """
      2026-11-20 23:34:5\($0).123 DEBUG transport connection 4711 outgoing message >>
      [36,5512315355,442931356\($0),{},["it is long enough"]]
      """
    }.joined(separator: "\n"),
    (0..<9).map {
      """
      2026-11-20 23:34:5\($0).123 DEBUG transport connection 4711, outgoing message 100\($0)
      [36,5512315355,442931356\($0),{},["it is long enough"]]
      """
    }.joined(separator: "\n"),
    // What is below one, indented.
    (0..<9).map {
      """
      2026-11-20 23:34:5\($0).123 ERROR the application threw an exception, number 100\($0)
          at service.Main(service.cs:100)
      """
    }.joined(separator: "\n"),
    // Cut by the logger.
    (0..<9).map {
      "2026-11-20 23:34:5\($0) received [36,5512315355,442931356\($0),{},[\"it is long enough"
    }.joined(separator: "\n"),
  ])
  func others(text: String) { #expect(!isFolded(read([Array((text + "\n").utf8)]))) }

  @Test func cuts() {
    let lines = Self.messages.enumerated().map { Self.lines[0].make($0, $1) }
    let text = fold(Array(lines[...4]), 80, isInOctets: true, end: "\r\n")
    let outcome = difference(forEveryCutOf: text) { (pieces) -> [String] in
      let sink = read(pieces)
      return sink.told + sink.recorder.lines
    }
    #expect(outcome == nil)
  }
}
