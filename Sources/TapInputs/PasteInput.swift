// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Messages pasted as text: JSON arrays one after another, separated by white space, commas or
/// line ends. It finds where each ends (strings and nesting respected) and does not judge what is
/// inside; who reads the message will.
public struct PasteInput: InputKind {
  private let place: Place
  private let limits: Limits
  private var scanner = PasteScanner()
  /// The beginning of a value or of something not understood that came with earlier chunks.
  private var carry = Scratch()
  /// Octets of the file before this chunk.
  private var offset: UInt64 = 0
  /// Where the value or the garbage began.
  private var start: UInt64 = 0

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    self.init(Place(input: input), limits: limits)
  }

  init(_ place: Place, limits: Limits) {
    self.place = place
    self.limits = limits
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var scanner = PasteScanner()
    for at in 0..<head.byteCount {
      switch scanner.step(head.byte(at: at)) {
      case .space: continue
      case .begin: return isBytes(head, from: at + 1) ? .no : .yes
      default: return .no
      }
    }
    return isAll ? .no : .undecided
  }

  /// Whether a list begins with `0x`: then it is bytes, and no JSON.
  private static func isBytes(_ head: RawSpan, from start: Int) -> Bool {
    var at = start
    while at < head.byteCount, isBlank(head.byte(at: at)) { at += 1 }
    return at + 1 < head.byteCount && head.byte(at: at) == 0x30
      && head.byte(at: at + 1) | 0x20 == 0x78
  }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    // Where what is being read begins in this chunk.
    var first = 0
    for at in 0..<chunk.byteCount {
      switch scanner.step(chunk.byte(at: at)) {
      case .space: first = at + 1
      case .begin, .beginGarbage:
        (first, start) = (at, offset + UInt64(at))
      case .inside: continue
      case .end:
        message(chunk.extracting(first..<at + 1), floor)
        first = at + 1
      case .endGarbage:
        garbage(chunk.extracting(first..<at), floor)
        (first, start) = (at, offset + UInt64(at))
      }
    }
    offset += UInt64(chunk.byteCount)
    keep(chunk.dropping(first))
  }

  public mutating func finish(_ floor: any Floor) {
    let nothing = Scratch()
    switch scanner.state {
    case .between: return
    case .value: message(nothing.bytes, floor)
    case .garbage: garbage(nothing.bytes, floor)
    }
  }

  /// Keeps what is not whole, up to one octet more than is allowed: enough to know it later.
  private mutating func keep(_ bytes: RawSpan) {
    let most: Int
    switch scanner.state {
    case .between: return
    case .value: most = limits.messageBytes + 1
    case .garbage: most = Self.quoted
    }
    carry.append(bytes.extracting(0..<min(bytes.byteCount, max(0, most - carry.count))))
  }

  private mutating func message(_ last: RawSpan, _ floor: any Floor) {
    let length = carry.count + last.byteCount
    let delivery = Delivery(place.origin(start), .text)
    if length > limits.messageBytes {
      floor.finding(
        Finding(
          .pasteTooLarge, .warning, delivery.origin,
          "the message at \(place.byte(start)) is larger than \(limits.messageBytes) bytes;"
            + " it is skipped"))
    } else if carry.isEmpty {
      return floor.message(last, delivery)
    } else {
      carry.append(last)
      floor.message(carry.bytes, delivery)
    }
    carry.removeAll()
    carry.shrink(above: 1 << 20)
  }

  /// Octets of garbage that suffice for the characters that are shown.
  private static let quoted = 80

  private mutating func garbage(_ last: RawSpan, _ floor: any Floor) {
    carry.append(last.extracting(0..<min(last.byteCount, max(0, Self.quoted - carry.count))))
    let bytes = carry.bytes.copied()
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    var quote = ""
    quote.unicodeScalars += String(decoding: line, as: Unicode.UTF8.self).unicodeScalars.prefix(20)
    carry.removeAll()
    floor.finding(
      Finding(
        .pasteNotUnderstood, .warning, place.origin(start),
        "what stands at \(place.byte(start)) is no message: “\(quote)”;"
          + " skipped up to the next line that begins with “[”."))
  }
}

extension Finding.Code {
  /// Between pasted messages stands something that is no JSON array (RFC 8259 §5). Likely cause:
  /// the prefix of a log, or a message whose beginning was not copied.
  static let pasteNotUnderstood: Finding.Code = "paste.not-understood"
  /// A pasted message is larger than `Limits.messageBytes`. Likely cause: a bracket or a quote that
  /// is never closed.
  static let pasteTooLarge: Finding.Code = "paste.too-large"
}
