// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// A stream that tshark followed with `raw`: a line of hexadecimal digits for what one side sent
/// at once, behind a tab where that is the second side.
public struct FollowedRawInput: InputKind {
  public static let name: StaticString = "followed-raw"

  /// What the line is that is read.
  private enum Line {
    case begins
    case octets(isSecond: Bool)
    /// Words of tshark.
    case words
  }

  private let place: Place
  private var decoded: Decoded
  private var line = Line.begins
  /// The first digit of a byte.
  private var half: UInt8?

  public init(_ place: Place, limits: Limits) {
    (self.place, decoded) = (place, Decoded(place, limits))
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    FollowedTextInput.claim(head, followedAs: ",raw", isAll: isAll)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    for at in 0..<chunk.byteCount {
      let byte = chunk.byte(at: at)
      if byte == .lineFeed {
        endLine(sink)
        continue
      }
      switch line {
      case .begins: begin(byte, sink)
      case .octets(let isSecond): take(byte, isSecond: isSecond, sink)
      case .words: break
      }
    }
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    endLine(sink)
    decoded.end(sink)
    sink.recognised(InputVerdict("followed stream, hexadecimal"), place.origin(0))
  }

  /// Words of tshark begin with a capital, and its digits are small.
  private mutating func begin(_ byte: UInt8, _ sink: any EvidenceSink) {
    if byte == .tab {
      line = .octets(isSecond: true)
    } else if byte.isDigit || byte &- 0x61 < 6 {
      line = .octets(isSecond: false)
      take(byte, isSecond: false, sink)
    } else {
      // Another stream follows.
      if byte == UInt8(ascii: "=") { decoded.end(sink) }
      line = .words
    }
  }

  private mutating func take(_ byte: UInt8, isSecond: Bool, _ sink: any EvidenceSink) {
    if byte == .carriageReturn { return }
    guard let digit = Digits.hexValue(byte) else {
      half = nil
      return decoded.gap(1, isSecond: isSecond, sink)
    }
    guard let first = half else { return half = digit }
    half = nil
    decoded.append(first << 4 | digit, isSecond: isSecond, sink)
  }

  private mutating func endLine(_ sink: any EvidenceSink) {
    if case .octets(let isSecond) = line, half != nil { decoded.gap(1, isSecond: isSecond, sink) }
    (line, half) = (.begins, nil)
  }
}
