// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The secrets of a run and the numbers of their tokens. With them, a secret is recognised again
/// where nothing around it identifies it.
struct KnownSecrets {
  private var numbers: Interner
  /// Secrets by their first `leastLength` bytes.
  private var places: [UInt64: [Int32]] = [:]
  private let limit: Int

  /// Shorter secrets could be ordinary words.
  private static let leastLength = 6
  /// Longer secrets are only kept as a digest.
  private static let mostKept = 1024
  /// How many secrets with the same first bytes are compared.
  private static let mostAlike = 16

  init(limits: Limits) {
    numbers = Interner(maximumBytes: limits.subjectBytes)
    limit = limits.secrets
  }

  /// The number of a secret, in order of appearance; 0 for all beyond the limit.
  ///
  /// - Parameter secret: as it was sent; JSON escapes make no difference.
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

  /// Where known secrets occur in a text.
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
