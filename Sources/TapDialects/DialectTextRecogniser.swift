// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Shows a text that stands among others, such as the lines of a log, to the recognisers of all
/// dialects.
public final class DialectTextRecogniser: TextRecogniser {
  private var recognisers: [any Recogniser]
  /// Indices of those that recognise messages in log lines.
  private let forTexts: [Int]
  /// Of these, those whose messages may be lists, and objects.
  private let (forLists, forObjects): ([Int], [Int])
  /// Those for lines that say that the text was sent.
  private let forSent: [Int]
  /// Those that have recognised a message: from then on, a possible match counts too.
  private var spoken: Set<Int> = []
  /// The only one to use: a dialect of objects that the user has named.
  private let only: Int?
  /// JSON objects are ignored.
  private let ignoresObjects: Bool
  private let limits: Limits

  /// - Parameters:
  ///   - dialect: the name that the user gave; nil for none.
  ///   - ignoresObjects: JSON objects are ignored.
  public init(limits: Limits, dialect: String? = nil, ignoresObjects: Bool = false) {
    let all = Dialects.recognisers(limits: limits, SharedScan(limits: limits))
    // The objects of such a dialect have no distinctive mark: only the user can know that they are
    // messages.
    only = Dialects.all.indices.first {
      Dialects.all[$0].name.description == dialect && all[$0].isOfObjects
    }
    // The user has named a dialect of lists.
    self.ignoresObjects = ignoresObjects || dialect != nil && only == nil
    recognisers = all
    let forTexts = all.indices.filter { all[$0].isForTexts }
    self.forTexts = forTexts
    forLists = forTexts.filter { all[$0].isOfLists }
    forObjects = forTexts.filter { all[$0].isOfObjects }
    forSent = all.indices.filter { !all[$0].isForTexts && all[$0].isOfObjects }
    self.limits = limits
  }

  public func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    var best = Recognition.none
    // A local variable needs no exclusivity check at each access.
    var all: [any Recogniser] = []
    swap(&all, &recognisers)
    defer { swap(&all, &recognisers) }
    if let only { return all[only].recognise(text, kind, in: .paste(isSpoken: true)) }
    let places =
      switch kind == .text && !text.isEmpty ? text.byte(at: 0) : 0 {
      case UInt8(ascii: "["): forLists
      case UInt8(ascii: "{"): forObjects
      default: forTexts
      }
    for place in places {
      let recognition = all[place].recognise(text, kind, in: .text)
      if recognition.grade > best.grade || recognition.isMalformed && best.grade == .none {
        best = recognition
      }
      if best.grade == .likely { break }
    }
    return best
  }

  public func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, subprotocol: [UInt8]
  ) -> Recognition {
    var opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: true)
    opening.subprotocol = subprotocol
    var best = Recognition.none
    for place in recognisers.indices where Dialects.all[place].isNegotiated(opening) {
      let found = recognisers[place].recognise(text, kind, in: .text)
      if found.grade > best.grade { best = found }
    }
    return best
  }

  public func recognise(sent text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    if only != nil { return recognise(text, kind) }
    var best = Recognition.none
    for place in forSent {
      let found = recognisers[place].recognise(
        text, kind, in: spoken.contains(place) ? .paste(isSpoken: true) : .sent)
      if found.grade > best.grade { best = found }
      if best.grade == .likely {
        spoken.insert(place)
        break
      }
    }
    best.needsSender = best.grade != .none
    return best
  }

  public var takesSentJSON: Bool { !ignoresObjects }

  public func recognise(_ text: RawSpan, as dialect: String) -> Recognition {
    guard let place = Dialects.all.firstIndex(where: { $0.name.description == dialect }) else {
      return recognise(text, .text)
    }
    return recognisers[place].recognise(text, .text, in: .paste(isSpoken: true))
  }

  public var textStarts: [TextStart] { recognisers.flatMap(\.starts) }

  public var takesObjects: Bool { only != nil }

  public var objectMarks: [StaticString] {
    ignoresObjects ? [] : recognisers.flatMap(\.objectMarks)
  }

  public func recognise(packet: RawSpan) -> Recognition? {
    for place in recognisers.indices where !recognisers[place].starts.isEmpty {
      let found = recognisers[place].recognise(packet, .text, in: .paste(isSpoken: true))
      if found.grade != .none { return found }
    }
    return nil
  }

  public func narratedLogs() -> [any NarratedLog] {
    Dialects.all.flatMap { $0.narratedLogs(limits: limits) }
  }

  public var printedMessages: PrintedMessages {
    let all = Dialects.all.map(\.printedMessages)
    return PrintedMessages(all.flatMap(\.layouts), synonyms: all.flatMap(\.synonyms))
  }
}
