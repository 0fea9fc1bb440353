// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Asks all dialects what a text is that stands among others, such as the lines of a log.
public final class DialectTextRecogniser: TextRecogniser {
  private var recognisers: [any Recogniser]
  /// Those of them that recognise texts among others.
  private let forTexts: [Int]
  private let limits: Limits

  public init(limits: Limits) {
    recognisers = Dialects.all.map { $0.recogniser(limits: limits) }
    forTexts = recognisers.indices.filter { [recognisers] in recognisers[$0].isForTexts }
    self.limits = limits
  }

  public func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    var best = Recognition.none
    // A local variable is not checked for exclusive access at each step.
    var all: [any Recogniser] = []
    swap(&all, &recognisers)
    defer { swap(&all, &recognisers) }
    for place in forTexts {
      let recognition = all[place].recognise(text, kind, in: .text)
      if recognition.grade > best.grade || recognition.isMalformed && best.grade == .none {
        best = recognition
      }
      if best.grade == .likely { break }
    }
    return best
  }

  public func recognise(_ text: RawSpan, as dialect: String) -> Recognition {
    guard let place = Dialects.all.firstIndex(where: { $0.name.description == dialect }) else {
      return recognise(text, .text)
    }
    return recognisers[place].recognise(text, .text, in: .paste(isSpoken: true))
  }

  public var textStarts: [TextStart] { recognisers.flatMap(\.starts) }

  public func recognise(packet: RawSpan) -> Recognition? {
    for place in recognisers.indices where !recognisers[place].starts.isEmpty {
      let found = recognisers[place].recognise(packet, .text, in: .paste(isSpoken: true))
      if found.grade != .none { return found }
    }
    return nil
  }

  public func narratedLogs() -> [any NarratedLog] {
    Dialects.all.compactMap { $0.narratedLog(limits: limits) }
  }

  public var printedMessages: PrintedMessages {
    let all = Dialects.all.map(\.printedMessages)
    return PrintedMessages(all.flatMap(\.layouts), synonyms: all.flatMap(\.synonyms))
  }
}
