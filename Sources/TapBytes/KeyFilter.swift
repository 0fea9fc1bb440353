// SPDX-License-Identifier: Apache-2.0

/// A Bloom filter for the keys of open objects: it never says that a repeated key is new, and
/// rarely that a new key may be repeated. It compares no keys, so it costs only a few instructions
/// per key. Its memory is working memory like that of `Eight`: allocated with the first object, and
/// shared by copies.
@safe public struct KeyFilter: @unchecked Sendable {
  /// The deepest level with a filter of its own.
  public static let mostDepth = 8

  private var owner: ManagedBuffer<Void, UInt64>?
  /// Two filters of 128 bits per depth, one per hash.
  @usableFromInline var words: UnsafeMutablePointer<UInt64>?

  public init() {}

  /// An object begins at this depth, from 1.
  @inlinable @inline(__always) public mutating func begin(_ depth: Int) {
    if unsafe words == nil { allocate() }
    guard let words = unsafe words else { return }
    let place = ((depth &- 1) & 7) &* 4
    unsafe words[place] = 0
    unsafe words[place &+ 1] = 0
    unsafe words[place &+ 2] = 0
    unsafe words[place &+ 3] = 0
  }

  @usableFromInline @inline(never) mutating func allocate() {
    let memory = ManagedBuffer<Void, UInt64>.create(minimumCapacity: 32) { _ in }
    let places = unsafe memory.withUnsafeMutablePointerToElements { unsafe $0 }
    unsafe places.initialize(repeating: 0, count: 32)
    owner = memory
    unsafe words = places
  }

  /// Whether the key from `start` to `end` may be in the object at this depth already; adds it.
  @inlinable @inline(__always)
  public func insert(_ bytes: RawSpan, _ start: Int, _ end: Int, _ depth: Int) -> Bool {
    guard let words = unsafe words else { return true }
    let hash = Self.hash(bytes, start, end)
    // The first hash selects one of the first two words, the second hash one of the other two.
    let place = ((depth &- 1) & 7) &* 4
    let first = place &+ Int(truncatingIfNeeded: hash &>> 63)
    let second = place &+ 2 &+ Int(truncatingIfNeeded: hash &>> 56 & 1)
    let (one, other) = (1 as UInt64 &<< (hash &>> 57), 1 as UInt64 &<< (hash &>> 50))
    let (known, same) = unsafe (words[first] & one, words[second] & other)
    unsafe words[first] |= one
    unsafe words[second] |= other
    return known != 0 && same != 0
  }

  /// A hash of the first eight and the last eight bytes.
  @inlinable @inline(__always)
  static func hash(_ bytes: RawSpan, _ start: Int, _ end: Int) -> UInt64 {
    let count = end &- start
    var word: UInt64
    if count >= 8 {
      word =
        bytes.word(unchecked: start)
        ^ bytes.word(unchecked: end &- 8) &* 0xD6E8_FEB8_6659_FD93
    } else if count > 0 && start &+ 8 <= bytes.byteCount {
      word = bytes.word(unchecked: start) &<< UInt64(truncatingIfNeeded: 64 &- count &* 8)
    } else {
      word = 0
      for at in start..<end { word = word &>> 8 | UInt64(bytes.byte(at: at)) &<< 56 }
    }
    word ^= word &>> 29
    return (word ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
  }
}
