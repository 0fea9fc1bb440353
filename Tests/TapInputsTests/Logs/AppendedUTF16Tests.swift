// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapInputs
import TapTesting
import TapTraffic
import Testing

/// UTF-16 behind text in another encoding.
@Suite struct AppendedUTF16Tests {
  private static let log = #"10:00:00 sent [32,1,{},"com.example.onhello"]"# + "\n"

  private func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private func read(_ pieces: [[UInt8]]) -> LogSink {
    let sink = LogSink()
    var input = TestLog.input(Self.log)
    for piece in pieces { input.receive(piece.span.bytes, sink) }
    input.finish(sink)
    return sink
  }

  @Test func appended() {
    let sink = read([Array(Self.log.utf8) + wide(Self.log)])
    let finding = sink.recorder.findings.first {
      $0.code.text.description == "log.encoding-changed"
    }
    #expect(finding?.origin.offset == UInt64(Self.log.utf8.count))
    #expect(sink.reported.count == 1)
  }

  /// The byte is that of the file, where lists were pasted ahead of the log.
  @Test func behindLists() {
    let text = Array("[33,1,5862354]\nwords of a program\n".utf8)
    let sink = LogSink()
    guard
      case .input(var input) = Inputs.recognise(
        text.span.bytes, isAll: true, input: 0, limits: Limits(), choice: InputChoice())
    else { return }
    input.receive((text + wide(Self.log)).span.bytes, sink)
    input.finish(sink)
    let finding = sink.recorder.findings.first {
      $0.code.text.description == "log.encoding-changed"
    }
    #expect(finding?.origin.offset == UInt64(text.count))
  }

  @Test(
    arguments: [
      [], [0, 0, 0, 0, 0, 0, 0, 0], Array(repeating: 0, count: 99),
      // Bytes of a message, and of numbers of 16 bits that are few.
      Array(repeating: [0x93, 0, 0x21], count: 20).flatMap { $0 },
      Array(repeating: [0x21, 0], count: 15).flatMap { $0 },
    ] as [[UInt8]])
  func others(octets: [UInt8]) {
    let text = Array(Self.log.utf8) + octets + [0x0A] + Array(Self.log.utf8)
    #expect(!read([text]).codes.contains("log.encoding-changed"))
  }

  @Test func cuts() {
    let text = Array(Self.log.utf8) + wide("čau\n" + Self.log)
    let outcome = difference(forEveryCutOf: text) { (pieces) -> [String] in
      let sink = read(pieces)
      return sink.reported + sink.recorder.lines
    }
    #expect(outcome == nil)
  }
}
