// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Finds keys that an object of a JSON text has twice (RFC 8259 §4), however they are escaped. A
/// scanner only knows that there may be some.
public struct RepeatedKeys: Sendable, Equatable {
  /// The range of the first one, without quotes.
  public private(set) var first = ByteRange()
  public private(set) var count = 0
  /// The offset from which keys were not compared, because there are too many; nil when all were.
  public private(set) var unchecked: Int?

  /// - Parameter bytes: JSON that a scanner has checked. It is read once.
  public init(in bytes: RawSpan) {
    var keys = SeenKeys()
    keys.beginMessage()
    // The keys without escapes, concatenated.
    var plain = Scratch()
    // The numbers of the open objects; 0 for a list.
    var open = ContiguousArray<UInt32>()
    var isKey = false
    var at = 0
    var seen = JSONScanner.Seen()
    while at < bytes.byteCount {
      switch bytes.byte(at: at) {
      case .quote:
        let end = JSONScanner.string(bytes, at, &seen)
        guard end > at else { return }
        if isKey, let object = open.last {
          add(ByteRange(at + 1, end - 1), object, bytes, &plain, &keys)
        }
        isKey = false
        at = end
        continue
      case .openBrace:
        open.append(keys.beginObject())
        isKey = true
      case .openBracket:
        open.append(0)
        isKey = false
      case .closeBrace, .closeBracket:
        _ = open.popLast()
        isKey = false
      case .comma: isKey = open.last.map { $0 > 0 } ?? false
      default: break
      }
      at &+= 1
    }
  }

  private mutating func add(
    _ key: ByteRange, _ object: UInt32, _ bytes: RawSpan, _ plain: inout Scratch,
    _ keys: inout SeenKeys
  ) {
    let start = plain.count
    if bytes[key].firstIndex(of: UInt8(ascii: "\\")) == nil {
      plain.append(bytes[key])
    } else {
      let unescaped = String(decoding: JSON.unescaped(bytes[key]), as: Unicode.UTF8.self)
      // Lone surrogates have no unescaped form to compare.
      if unescaped.unicodeScalars.contains("\u{FFFD}") {
        plain.append(bytes[key])
      } else {
        plain.append(unescaped)
      }
    }
    switch keys.insert(ByteRange(start, plain.count), of: object, in: plain.bytes) {
    case .new: break
    case .old:
      if count == 0 { first = key }
      count += 1
    case .full: if unchecked == nil { unchecked = key.start }
    }
  }
}
