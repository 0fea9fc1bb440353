// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// JSON texts in one direction of a stream, delimited by brackets, line ends or lengths. How the
/// direction begins decides which, for good.
public final class JSONStreamFraming: StreamFraming {
  /// It is known how the texts are delimited.
  private var isDecided = false
  /// Neither can be accessed while it is changed, as neither calls out. The exclusivity check,
  /// which would cost as much as finding a text, is therefore off.
  @exclusivity(unchecked) private var texts = JSONTextFraming()
  /// Nil where texts have no lengths.
  @exclusivity(unchecked) private var lengths: LengthFraming?
  private let most: Int
  public let traits: FramingTraits

  /// - Parameter search: may have found out how the texts are delimited.
  public init(_ limits: Limits, _ search: JSONLengthSearch = JSONLengthSearch()) {
    most = limits.messageBytes
    lengths = search.form.map { LengthFraming($0, most: limits.messageBytes) }
    isDecided = lengths != nil
    traits = FramingTraits(
      incomplete: .incomplete, tooLong: .tooLong, resynchronised: .resynchronised,
      framingLost: .framingLost, longest: most, longestSearch: most, room: limits.unfinishedBytes)
  }

  /// Whether a side that begins with these bytes sends JSON texts; nil when more are needed to
  /// tell.
  public static func recognise(_ bytes: RawSpan, most: Int) -> Bool? {
    let isTexts = JSONTextFraming.recognise(bytes)
    if isTexts == true { return true }
    var isUndecided = isTexts == nil
    if LengthFraming.recognise(bytes, most: most, isUndecided: &isUndecided) != nil { return true }
    return isUndecided ? nil : false
  }

  public func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
    if !isDecided {
      var isUndecided = false
      let rest = bytes.dropping(start)
      lengths = LengthFraming.recognise(rest, most: most, isUndecided: &isUndecided)
      if lengths == nil, isUndecided, !isEnd, JSONTextFraming.recognise(rest) != true {
        return .incomplete
      }
      isDecided = true
    }
    return lengths?.next(in: bytes, from: start, isEnd: isEnd)
      ?? texts.next(in: bytes, from: start, isEnd: isEnd)
  }

  public func pass(
    _ message: RawSpan, _ delivery: Delivery, from _: UInt64, _ above: inout any Layer,
    _ listener: any Listener
  ) -> FramedKind {
    above.receive(message, delivery, listener)
    if let announced = lengths?.announced {
      Self.reportMiscount(message, announced: announced, delivery.origin, listener)
    }
    return .message
  }

  /// A common mistake, for example in Swift: counting characters where the protocol wants bytes.
  private static func reportMiscount(
    _ text: RawSpan, announced: Int, _ origin: Origin, _ listener: any Listener
  ) {
    let octets = text.byteCount
    let why = text.characterCount == announced ? ": its characters were counted" : ""
    listener.remark(
      .lengthWrong, .error, origin,
      "\(announced) bytes were announced, the text has \(octets)\(why)")
  }

  public func beginning(in held: ResyncBuffer, _ end: SearchEnd) -> Int? {
    var isEnd = false
    switch end {
    // A text before the gap may continue in it.
    case .gap: return nil
    case .more: break
    case .end: isEnd = true
    }
    if lengths != nil { return lengths!.beginning(in: held.bytes.bytes, isEnd: isEnd) }
    return texts.beginning(in: held, isEnd: isEnd)
  }

  public func removed(_ count: Int) {
    lengths?.removed(count)
    texts.removed(count)
  }

  public func resynchronise() {
    // With nothing of this direction seen whole, only brackets and line ends show where messages
    // begin.
    isDecided = true
    lengths?.resynchronise()
    texts.resynchronise()
  }
}
