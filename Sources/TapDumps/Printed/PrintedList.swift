// SPDX-License-Identifier: Apache-2.0

import TapBytes
/// A message of JSON in a text where every dot may be another byte: where it ends, and whether the
/// header of a frame that fits its length stands before it.
struct PrintedList {
  /// How the header before it may look.
  enum Header: CaseIterable {
    /// WebSocket's with 7, 16 and 64 bits of length (RFC 6455 §5.2), of one unmasked frame.
    case short, medium, long
    /// WAMP RawSocket's.
    case raw

    var octets: Int {
      switch self {
      case .short: 2
      case .medium, .raw: 4
      case .long: 10
      }
    }

    /// The lengths that it can say: each in its shortest form.
    var lengths: ClosedRange<Int> {
      switch self {
      case .short: 2...125
      case .medium: 126...0xFFFF
      case .long: 0x10000...Int(Int32.max)
      case .raw: 2...0xFF_FFFF
      }
    }

    /// Whether characters may be the header of a message of that length.
    func fits(_ characters: ArraySlice<UInt8>, _ length: Int) -> Bool {
      guard characters.count == octets, lengths.contains(length),
        characters.first == PrintedOctet.dot
      else { return false }
      let rest = characters.dropFirst()
      switch self {
      case .short: return PrintedOctet.fits(rest, length)
      case .medium:
        return rest.first == 126 && PrintedOctet.fits(rest.dropFirst(), length)
      case .long:
        return PrintedOctet.fits(rest.prefix(1), 127)
          && PrintedOctet.fits(rest.dropFirst(), length)
      case .raw: return PrintedOctet.fits(rest, length)
      }
    }
  }

  /// Where it begins.
  private(set) var start: Int
  /// Behind its last bracket, once that has come.
  private(set) var end: Int?
  private var at: Int
  private var brackets = BracketCount()

  /// - Parameter start: of its first bracket.
  init(from start: Int) { (self.start, at) = (start, start) }

  /// So many bytes before it were dropped.
  mutating func shift(by count: Int) {
    start -= count
    at -= count
    end = end.map { $0 - count }
  }

  /// Looks for the end in what has come, no farther than the header before it may say; answers how
  /// many characters it looked at.
  mutating func advance(_ text: [UInt8], most: Int) -> Int {
    let first = at
    while end == nil, at < text.count, at - start < most {
      let closes = brackets.take(text[at])
      at += 1
      if closes { end = at }
    }
    return at - first
  }

  /// The header before a list that has ended, if any fits; what CR LF has lost may be counted.
  ///
  /// - Parameters:
  ///   - suffix: bytes behind the list that belong to the message.
  ///   - border: where the frame has to begin, if that is known.
  func header(in text: [UInt8], suffix: Int, border: Int?, _ forms: [Header]) -> Header? {
    guard let end else { return nil }
    let breaks = text[start..<end].count { $0 == .lineFeed }
    for form in forms where form.octets <= start {
      if let border, border != start - form.octets { continue }
      let characters = text[(start - form.octets)..<start]
      let length = end - start + suffix
      if (length...length + breaks).contains(where: { form.fits(characters, $0) }) { return form }
    }
    return nil
  }

  /// The most bytes that a header before it may announce; nil where nothing like one stands there.
  func longest(in text: [UInt8], _ forms: [Header]) -> Int? {
    forms.compactMap { form -> Int? in
      guard form.octets <= start, text[start - form.octets] == PrintedOctet.dot else { return nil }
      let length = text[(start - form.octets + 1)..<start]
      let isDot = length.first == PrintedOctet.dot
      switch form {
      // A dot is itself, or a byte that no character stands for.
      case .short: return isDot ? 46 : length.first == 126 ? nil : Int(length.first!)
      case .medium: return length.first == 126 ? 0xFFFF : nil
      case .long:
        return length.prefix(5).allSatisfy { $0 == PrintedOctet.dot } ? Int(Int32.max) : nil
      case .raw: return isDot ? 0xFF_FFFF : nil
      }
    }.max()
  }
}
