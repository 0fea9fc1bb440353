// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Writes JSON text from values in wire order: commas, brackets and keys, for containers with a
/// count and for those with an end mark. Open containers are in a list of its own, so that deep
/// nesting cannot overflow the stack.
///
/// Every value is followed by a comma (a key by a colon), which the end of its container removes.
struct Composer: ~Copyable {
  /// An open container.
  struct Frame: Sendable, BitwiseCopyable {
    /// Values still to come, two for a member; very many for an endless container. When even, the
    /// next value of an object is a key.
    var left = 1
    /// The start of its text.
    var start = 0
    /// Its offset in the message.
    var offset = 0
    /// The object's number in `SeenKeys`.
    var number: UInt32 = 0
    var isObject = false
    /// It is itself a key.
    var isKey = false
    /// It is the top-level list, whose elements are recorded.
    var isTop = false
    /// It ends with a mark, not after a count.
    var isEndless = false
    /// The type marker of all values in the container (UBJSON); 0 when each has its own.
    var marker: UInt8 = 0
  }

  /// Even, and never counted down to zero.
  static let endless = Int.max - 1
  /// The deepest nesting of containers as keys, as quoting quotes doubles the text each time.
  private static let maximumKeyDepth = 3

  /// The innermost open container; at first the place of the top-level value.
  var here = Frame()
  var outer = Stack<Frame>(capacity: 64)
  private var keyDepth = 0
  private var keys = SeenKeys()
  /// For strings that come in pieces.
  var pieces = Scratch()

  /// The elements of a top-level list, or the top-level value itself, as ranges of the buffer: what
  /// a scanner would find.
  private(set) var elements = JSONElements()
  /// Whether the top-level value is a list.
  private(set) var isList = false
  /// As `JSONScanner.hasUnplain`.
  var hasUnplain = false
  /// NaN or an infinity was written.
  var hasNonFinite = false

  /// The number of UBJSON integers that are not in the shortest type, or exceed 2^53.
  var misfits = 0

  /// The number of missing bytes when only the beginning of a message is there; otherwise 0.
  var missing = 0

  private(set) var fault: TranscodingFault?
  private(set) var peculiarities = ContiguousArray<Peculiarity>()
  private(set) var peculiarityCount = 0
  private let maximumDepth: Int
  private let maximumBytes: Int
  /// The limit of the buffer's length.
  private var limit = 0

  init(maximumDepth: Int, maximumBytes: Int) {
    (self.maximumDepth, self.maximumBytes) = (maximumDepth, maximumBytes)
  }

  mutating func beginMessage() {
    keys.beginMessage()
    if peculiarityCount > 0 {
      peculiarities.removeAll(keepingCapacity: true)
      peculiarityCount = 0
    }
  }

  mutating func beginValue(_ text: borrowing TextBuffer) {
    here = Frame()
    outer.removeAll()
    elements.removeAll()
    (isList, hasUnplain, hasNonFinite) = (false, false, false)
    (keyDepth, misfits, fault, limit) = (0, 0, nil, text.count &+ maximumBytes)
  }

  /// Whether the next value is a key.
  @inline(__always) var expectsKey: Bool { here.isObject && here.left & 1 == 0 }

  /// How many containers are open.
  var depth: Int { outer.count }

  mutating func note(_ kind: Peculiarity.Kind, _ offset: Int, _ value: UInt64 = 0) {
    peculiarityCount &+= 1
    if peculiarities.count < Transcoder.maximumPeculiarities {
      peculiarities.append(Peculiarity(kind, offset: offset, value: value))
    }
  }

  mutating func fail(_ problem: TranscodingFault.Problem, _ offset: Int) {
    if fault == nil { fault = TranscodingFault(problem, offset: offset) }
  }

  /// A value has been written, from `start` on.
  @inline(__always)
  mutating func ended(
    _ start: Int, _ offset: Int, isText: Bool = false, _ text: inout TextBuffer
  ) {
    here.left &-= 1
    if here.isObject && here.left & 1 == 1 {
      endedKey(start, offset, isText, &text)
      text.append(byte: 0x3A)
    } else {
      if here.isTop { note(elementFrom: start, text) }
      text.append(byte: 0x2C)
    }
  }

  /// Records the text from `start` on as an element, or as the top-level value.
  @inline(never)
  private mutating func note(elementFrom start: Int, _ text: borrowing TextBuffer) {
    let range = ByteRange(start, text.count)
    elements.append(JSONElement(JSON.kind(of: text.bytes, start, text.count), range))
  }

  /// The top-level value is complete.
  mutating func endValue(_ start: Int, _ text: borrowing TextBuffer) {
    if !isList { note(elementFrom: start, text) }
  }

  @inline(__always)
  private mutating func endedKey(
    _ start: Int, _ offset: Int, _ isText: Bool, _ text: inout TextBuffer
  ) {
    if !isText {
      note(.nonStringKey, offset)
      if text.bytes.byte(at: start) != 0x22 {
        let shown = text.bytes.dropping(start).copied()
        text.truncate(start)
        JSONString.append(shown.span.bytes, to: &text)
      }
    }
    let key = ByteRange(start, text.count)
    switch keys.insert(key, of: here.number, in: text.bytes) {
    case .new: break
    case .old: note(.duplicateKey, offset)
    case .full:
      if peculiarities.last?.kind != .keysUnchecked { note(.keysUnchecked, offset) }
    }
  }

  /// Opens a container with `count` elements or members, or with an end mark (nil). False, with
  /// `fault` set, when it is too large or too deep.
  @inline(__always)
  mutating func open(
    isObject: Bool, _ count: Int?, _ offset: Int, marker: UInt8 = 0, _ text: inout TextBuffer
  ) -> Bool {
    guard outer.count < maximumDepth else {
      fail(.tooDeep, offset)
      return false
    }
    if outer.count >= 64 { hasUnplain = true }
    guard count != 0 else {
      let start = text.count
      text.append(word: isObject ? 0x7D7B : 0x5D5B, count: 2)
      if outer.isEmpty && !isObject { isList = true }
      ended(start, offset, &text)
      return true
    }
    return begin(isObject: isObject, count, offset, marker, &text)
  }

  private mutating func begin(
    isObject: Bool, _ count: Int?, _ offset: Int, _ marker: UInt8, _ text: inout TextBuffer
  ) -> Bool {
    let start = text.count
    text.append(byte: isObject ? 0x7B : 0x5B)
    let isKey = expectsKey
    if isKey {
      keyDepth &+= 1
      if keyDepth > Self.maximumKeyDepth {
        fail(.tooDeep, offset)
        return false
      }
    }
    let isTop = outer.isEmpty && !isObject
    if isTop { isList = true }
    outer.push(here)
    let left = count.map { isObject ? $0 &* 2 : $0 } ?? Self.endless
    here = Frame(
      left: left, start: start, offset: offset, number: isObject ? keys.beginObject() : 0,
      isObject: isObject, isKey: isKey, isTop: isTop, isEndless: count == nil, marker: marker)
    return true
  }

  /// Closes the innermost container. False when it is an object that lacks a value, or none is
  /// open.
  mutating func close(_ text: inout TextBuffer) -> Bool {
    if here.isObject && here.left & 1 == 1 { return false }
    guard let around = outer.pop() else { return false }
    let bracket: UInt8 = here.isObject ? 0x7D : 0x5D
    if here.left != Self.endless { text.truncate(text.count &- 1) }
    text.append(byte: bracket)
    let (start, offset) = (here.start, here.offset)
    if here.isKey { keyDepth &-= 1 }
    here = around
    ended(start, offset, &text)
    return true
  }

  /// Closes full containers. True when the top-level value is complete.
  @inline(__always)
  mutating func isWhole(_ text: inout TextBuffer) -> Bool {
    while here.left == 0 {
      if outer.isEmpty {
        text.truncate(text.count &- 1)
        return true
      }
      _ = close(&text)
    }
    return false
  }

  /// Whether the text exceeds the limit; sets `fault` then.
  @inline(__always)
  mutating func isTooLarge(_ offset: Int, _ text: borrowing TextBuffer) -> Bool {
    if text.count <= limit { return false }
    fail(.tooLarge, offset)
    return true
  }
}
