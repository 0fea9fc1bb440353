// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// JSON texts in one direction of a stream, however they are delimited: by their brackets, by line
/// ends, or by lengths. What the direction begins with tells, and stays.
public struct JSONStreamFraming: MessageFraming {
  private enum Kind {
    case undecided
    case texts(JSONTextFraming)
    case lengths(LengthFraming)
  }

  private var kind = Kind.undecided
  private let most: Int

  /// - Parameter most: bytes of the longest message.
  public init(most: Int) { self.most = most }

  /// Whether what one side sends first are JSON texts: nil until that is known.
  public static func recognise(_ bytes: RawSpan, most: Int) -> Bool? {
    if let isTexts = JSONTextFraming.recognise(bytes), isTexts { return true }
    let isOpen = JSONTextFraming.recognise(bytes) == nil
    var isUndecided = isOpen
    if LengthFraming.recognise(bytes, most: most, isUndecided: &isUndecided) != nil { return true }
    return isUndecided ? nil : false
  }

  public mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
    switch kind {
    case .texts(var framing):
      defer { kind = .texts(framing) }
      return framing.next(in: bytes, from: start, isEnd: isEnd)
    case .lengths(var framing):
      defer { kind = .lengths(framing) }
      return framing.next(in: bytes, from: start, isEnd: isEnd)
    case .undecided:
      var isUndecided = false
      let rest = bytes.dropping(start)
      if let framing = LengthFraming.recognise(rest, most: most, isUndecided: &isUndecided) {
        kind = .lengths(framing)
      } else if isUndecided && !isEnd && JSONTextFraming.recognise(rest) != true {
        return .incomplete
      } else {
        kind = .texts(JSONTextFraming())
      }
      return next(in: bytes, from: start, isEnd: isEnd)
    }
  }

  public mutating func beginning(in held: ResyncBuffer, isEnd: Bool) -> Int? {
    switch kind {
    case .texts(var framing):
      defer { kind = .texts(framing) }
      return framing.beginning(in: held, isEnd: isEnd)
    case .lengths(var framing):
      defer { kind = .lengths(framing) }
      return framing.beginning(in: held.bytes.bytes, isEnd: isEnd)
    case .undecided: return 0
    }
  }

  public func announcedSize(_ bytes: RawSpan) -> Int? {
    guard case .lengths(let framing) = kind else { return nil }
    return framing.announcedSize(bytes)
  }

  public mutating func removed(_ count: Int) {
    switch kind {
    case .texts(var framing):
      framing.removed(count)
      kind = .texts(framing)
    case .lengths(var framing):
      framing.removed(count)
      kind = .lengths(framing)
    case .undecided: break
    }
  }

  public mutating func resynchronise() {
    switch kind {
    case .texts(var framing):
      framing.resynchronise()
      kind = .texts(framing)
    case .lengths(var framing):
      framing.resynchronise()
      kind = .lengths(framing)
    case .undecided:
      // Nothing of this direction was seen whole: its lines tell.
      var framing = JSONTextFraming()
      framing.resynchronise()
      kind = .texts(framing)
    }
  }
}
