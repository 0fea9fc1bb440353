// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEvidence
import TapInputs
import TapTesting
import TapTraffic

/// Logs for tests.
enum TestLog {
  /// The input of a text that is a log.
  static func input(
    _ text: String, _ limits: Limits = Limits(), choice: InputChoice = InputChoice(),
    recogniser: @escaping @Sendable () -> any TextRecogniser = { ListRecogniser() }
  ) -> any Input {
    var choice = choice
    (choice.input, choice.recogniser) = ("log", recogniser)
    let head = Array((text + "\n\n\n").utf8)
    let recognition = Inputs.recognise(
      head.span.bytes, isAll: true, input: 0, limits: limits, choice: choice)
    guard case .input(let input) = recognition else { fatalError("log is an input") }
    return input
  }

  /// Reads a log that is there as a whole.
  static func read(
    _ text: String, _ limits: Limits = Limits(), choice: InputChoice = InputChoice(),
    onto sink: any EvidenceSink,
    recogniser: @escaping @Sendable () -> any TextRecogniser = { ListRecogniser() }
  ) {
    var input = input(text, limits, choice: choice, recogniser: recogniser)
    input.receive(Array(text.utf8).span.bytes, sink)
    input.finish(sink)
  }

  /// For evidence in which lists are messages.
  static var choice: InputChoice {
    var choice = InputChoice()
    choice.recogniser = { ListRecogniser() }
    return choice
  }

  /// The inputs of `samples/logs`.
  static let samples: [String] = {
    let files = FileManager.default.enumerator(at: logSamples, includingPropertiesForKeys: nil)
    let inputs = (files?.allObjects as? [URL] ?? []).filter {
      $0.lastPathComponent.hasPrefix("input")
    }
    return inputs.sorted { $0.path < $1.path }.compactMap {
      try? String(contentsOf: $0, encoding: .utf8)
    }
  }()
}

/// Writes down the messages of a log.
final class LogSink: EvidenceSink {
  private(set) var reported: [String] = []
  private(set) var kinds: [Delivery.Kind] = []
  let recorder = SinkRecorder()

  var codes: [String] { recorder.codes }

  func packet(_: RawSpan, _: Packet) {}

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let text = String(decoding: bytes.copied(), as: Unicode.UTF8.self)
    kinds.append(delivery.kind)
    reported.append("\(delivery.origin.flow) \(delivery.origin.direction) \(text)")
    recorder.message(bytes, delivery)
  }

  /// Gaps that were reported.
  private(set) var gaps = 0

  func gap(_: Int?, _: Delivery) { gaps += 1 }

  func opened(_ opening: Opening, _ delivery: Delivery) { recorder.opened(opening, delivery) }

  func recognised(_ verdict: InputVerdict, _ origin: Origin) {
    recorder.recognised(verdict, origin)
  }

  func finding(_ finding: Finding) {
    recorder.finding(finding)
  }
}

/// Recognises each list of JSON whose first element is a number above 30.
final class ListRecogniser: TextRecogniser {
  let printedMessages = PrintedMessages([.init("Subscribed", 33, ["request", "subscription"])])

  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    let bytes = text.copied().filter { $0 > 0x20 }
    let digits = bytes.dropFirst().prefix { $0 &- 0x30 < 10 }
    // What only a program writes is no JSON.
    guard bytes.last == 0x5D, !bytes.contains(0x27) || bytes.contains(0x22),
      !bytes.contains(0x28),
      let code = Int(String(decoding: digits, as: Unicode.UTF8.self)), code > 30,
      !String(decoding: bytes, as: Unicode.UTF8.self).contains(":]"),
      !String(decoding: bytes, as: Unicode.UTF8.self).contains("\\\""),
      !String(decoding: bytes, as: Unicode.UTF8.self).contains("\\x")
    else { return malformed(text) }
    return Recognition(.likely)
  }

  private func isList(_ text: RawSpan) -> Bool {
    let bytes = text.copied()
    return !bytes.contains(0x27) && !bytes.contains(0x5C) && !bytes.contains(0x28)
      && !String(decoding: bytes, as: Unicode.UTF8.self).contains(",,")
  }

  /// Begins as a message does when a number follows the code.
  private func malformed(_ text: RawSpan) -> Recognition {
    var recognition = Recognition.none
    let second = text.copied().split(separator: 0x2C).dropFirst().first?.first
    recognition.isMalformed = isList(text) && (second ?? 0) &- 0x30 < 10
    return recognition
  }
}
