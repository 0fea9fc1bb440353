// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// JSON texts in one direction of a stream, however they are delimited: by their brackets, by line
/// ends, or by lengths. What the direction begins with tells, and stays.
public struct JSONStreamFraming {
  private enum Kind {
    case undecided
    case texts(JSONTextFraming)
    case lengths(LengthFraming)
  }

  private var kind = Kind.undecided
  private let most: Int

  /// - Parameter most: bytes of the longest message.
  init(most: Int) { self.most = most }

  /// Whether what one side sends first are JSON texts: nil until that is known.
  public static func recognise(_ bytes: RawSpan, most: Int) -> Bool? {
    let isTexts = JSONTextFraming.recognise(bytes)
    if isTexts == true { return true }
    var isUndecided = isTexts == nil
    if LengthFraming.recognise(bytes, most: most, isUndecided: &isUndecided) != nil { return true }
    return isUndecided ? nil : false
  }

  /// Finds the next message, where it is known where it begins.
  ///
  /// - Parameters:
  ///   - start: where it begins: behind the last.
  ///   - isEnd: no more bytes come in this direction.
  mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
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

  /// Where a message begins, if that is not known; nil when these bytes do not tell.
  mutating func beginning(in held: ResyncBuffer, isEnd: Bool) -> Int? {
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

  /// How many bytes the message at the beginning of these takes, with all that stands before it,
  /// where a length says so; nil where only its end tells.
  func announcedSize(_ bytes: RawSpan) -> Int? {
    guard case .lengths(let framing) = kind else { return nil }
    return framing.announcedSize(bytes)
  }

  /// The first bytes, which were passed on or over, are no longer there.
  mutating func removed(_ count: Int) {
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

  /// Bytes are missing: what comes next may begin inside of a message.
  mutating func resynchronise() {
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
