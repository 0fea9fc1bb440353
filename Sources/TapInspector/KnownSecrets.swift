// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The secrets of a run, by the numbers of their tokens, so that the same one is recognised where
/// nothing around it says what it is.
struct KnownSecrets {
  private var numbers: Interner
  /// Secrets by the first bytes of what they say.
  private var places: [UInt64: [Int32]] = [:]
  private let limit: Int

  /// Shorter ones are words by chance.
  private static let leastLength = 6
  /// What is longer is known by a digest.
  private static let mostKept = 1024
  /// Secrets that begin alike and are compared.
  private static let mostAlike = 16

  init(limits: Limits) {
    numbers = Interner(maximumBytes: limits.subjectBytes)
    limit = limits.secrets
  }

  /// Counts in order of appearance, 0 for all of those that are too many.
  ///
  /// - Parameter secret: as it was sent; escapes of JSON make no other secret of it.
  mutating func number(of secret: RawSpan) -> Int32 {
    if secret.byteCount > Self.mostKept {
      let digest = "\(secret.byteCount) \(secret.fingerprint)"
      return number(Array(digest.utf8), isText: false)
    }
    let text = secret.firstIndex(of: .backslash) == nil ? secret.copied() : JSON.unescaped(secret)
    return number(text, isText: true)
  }

  private mutating func number(_ text: [UInt8], isText: Bool) -> Int32 {
    let before = numbers.count
    if before >= limit { return numbers.known(text.span.bytes) }
    let number = numbers.number(of: text.span.bytes)
    if isText && numbers.count > before && text.count >= Self.leastLength {
      let begin = Self.beginning(text.span.bytes, 0)
      if places[begin, default: []].count < Self.mostAlike {
        places[begin, default: []].append(number)
      }
    }
    return number
  }

  private static func beginning(_ text: RawSpan, _ at: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<leastLength { word = word << 8 | UInt64(text.byte(at: at + index)) }
    return word
  }

  /// Where secrets stand in a text.
  func ranges(in text: [UInt8]) -> [Range<Int>] {
    if places.isEmpty || text.count < Self.leastLength { return [] }
    var found: [Range<Int>] = []
    var at = 0
    while at + Self.leastLength <= text.count {
      let longest = places[Self.beginning(text.span.bytes, at)]?.map { numbers[$0].copied() }
        .filter { text[at...].starts(with: $0) }.max { $0.count < $1.count }
      if let longest {
        found.append(at..<at + longest.count)
        at += longest.count
      } else {
        at += 1
      }
    }
    return found
  }
}
