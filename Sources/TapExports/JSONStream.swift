// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads a JSON text (RFC 8259) that comes in chunks, cut anywhere, and is never held: what its
/// form gives a meaning is reported when it ends, everything else is passed over.
///
/// What is passed over is not checked, but for its brackets and quotes. A comma before a closing
/// bracket is accepted, as repaired files have one.
struct JSONStream<Form: JSONForm> {
  private enum State {
    case value
    /// Behind `[` or a comma in an array.
    case valueOrEnd
    /// Behind `{` or a comma in an object.
    case keyOrEnd
    case key
    case colon
    /// Behind a value.
    case behind
    case string
    case literal
    case skipped
    /// Behind the text.
    case done
    case damaged
  }

  /// Where it stops making sense, and why.
  struct Damage {
    var offset: UInt64
    var reason: String
  }

  private struct Open {
    var node: Form.Node
    var isObject: Bool
  }

  /// Longer keys have no meaning.
  private static var mostOfKeys: Int { 256 }

  private(set) var damage: Damage?
  /// Bytes behind the damage.
  private(set) var unread: UInt64 = 0
  /// Bytes of the text before this chunk.
  private(set) var offset: UInt64 = 0

  private var state = State.value
  private var open: ContiguousArray<Open> = []
  /// Where the value stands that is awaited or read.
  private var node = Form.root
  private var text = JSONText()
  /// Where the string or the literal began.
  private var start: UInt64 = 0
  private var skipping = JSONSkip()
  /// The value that is passed over is kept, to be given to the form as it is written.
  private var isKept = false

  /// The text has ended.
  var isWhole: Bool { state == .done }
  /// Not one byte of the text has come.
  var isEmpty: Bool { state == .value && open.isEmpty }

  /// How many objects and arrays are open, if nothing has begun in the innermost; else nil.
  var restsAt: Int? {
    state == .behind || state == .valueOrEnd || state == .keyOrEnd ? open.count : nil
  }

  /// The text has begun and may go on with white space.
  var mayBreak: Bool {
    switch state {
    case .keyOrEnd, .valueOrEnd, .behind, .colon: true
    case .value, .literal: !open.isEmpty
    case .skipped: !skipping.isInString
    case .key, .string, .done, .damaged: false
    }
  }

  /// Another text begins.
  mutating func restart() {
    (state, node, damage, unread, offset) = (.value, Form.root, nil, 0, 0)
    open.removeAll()
  }

  mutating func receive(_ chunk: RawSpan, _ form: inout Form, _ sink: any EvidenceSink) {
    var at = 0
    while at < chunk.byteCount {
      switch state {
      case .string: readString(chunk, &at, &form, sink)
      case .key: readKey(chunk, &at)
      case .literal: readLiteral(chunk, &at, &form, sink)
      case .skipped: skip(chunk, &at, &form, sink)
      case .damaged:
        unread += UInt64(chunk.byteCount - at)
        at = chunk.byteCount
      default:
        let byte = chunk.byte(at: at)
        if byte.isJSONSpace || isMark(byte, at) || take(byte, offset + UInt64(at), &form, sink) {
          at += 1
        }
      }
    }
    offset += UInt64(chunk.byteCount)
  }

  /// A byte order mark may stand in front: U+FEFF in UTF-8.
  private func isMark(_ byte: UInt8, _ at: Int) -> Bool {
    let place = offset + UInt64(at)
    return place < 3 && isEmpty && byte == (place == 0 ? 0xEF : place == 1 ? 0xBB : 0xBF)
  }

  /// No more comes: a number may stand at the end.
  mutating func finish(_ form: inout Form, _ sink: any EvidenceSink) {
    if case .literal = state, open.isEmpty { endLiteral(&form, sink) }
  }

  /// One byte between values; answers whether it is used up.
  private mutating func take(
    _ byte: UInt8, _ place: UInt64, _ form: inout Form, _ sink: any EvidenceSink
  ) -> Bool {
    switch (state, byte) {
    case (.valueOrEnd, .closeBracket), (.keyOrEnd, .closeBrace): close(place, &form, sink)
    case (.behind, .closeBracket) where open.last?.isObject == false,
      (.behind, 0x7D) where open.last?.isObject == true:
      close(place, &form, sink)
    case (.behind, .comma): state = open.last?.isObject == true ? .keyOrEnd : .valueOrEnd
    case (.colon, .colon): state = .value
    case (.keyOrEnd, .quote):
      text.begin(most: Self.mostOfKeys)
      state = .key
    case (.value, _), (.valueOrEnd, _): return begin(byte, place, &form, sink)
    default: damaged(place, byte)
    }
    return true
  }

  private mutating func begin(
    _ byte: UInt8, _ place: UInt64, _ form: inout Form, _ sink: any EvidenceSink
  ) -> Bool {
    if let last = open.last, !last.isObject { node = Form.element(of: last.node) }
    start = place
    let isWanted = node != Form.other
    switch byte {
    case .openBrace, .openBracket:
      if !isWanted || form.isKept(node) { return beginSkipping(form) }
      open.append(Open(node: node, isObject: byte == .openBrace))
      state = byte == .openBrace ? .keyOrEnd : .valueOrEnd
      form.begin(node, at: place, sink)
      return true
    case .quote:
      if !isWanted || form.isKept(node) { return beginSkipping(form) }
      text.begin(most: form.most(of: node))
      state = .string
      return true
    case 0x2D, 0x30...0x39, 0x61...0x7A, 0x49, 0x4E:
      // `NaN` and `Infinity` too, as Python writes them.
      text.begin(most: isWanted ? max(form.most(of: node), Self.mostOfKeys) : 0)
      state = .literal
      return false
    default:
      damaged(place, byte)
      return true
    }
  }

  private mutating func beginSkipping(_ form: Form) -> Bool {
    isKept = node != Form.other
    if isKept { text.begin(most: form.most(of: node)) }
    skipping.begin()
    state = .skipped
    return false
  }

  private mutating func skip(
    _ chunk: RawSpan, _ at: inout Int, _ form: inout Form, _ sink: any EvidenceSink
  ) {
    let first = at
    let hasEnded = skipping.pass(chunk, &at)
    if isKept {
      text.append(verbatim: chunk.extracting(first..<at))
      if hasEnded { report(isString: false, &form, sink) }
    }
    if hasEnded { endValue() }
  }

  /// Reports what `text` holds.
  private mutating func report(isString: Bool, _ form: inout Form, _ sink: any EvidenceSink) {
    let scalar = JSONScalar(isString: isString, length: text.length, offset: start)
    form.scalar(text.bytes.bytes, scalar, node, sink)
  }

  private mutating func readKey(_ chunk: RawSpan, _ at: inout Int) {
    guard text.read(chunk, &at) else { return }
    state = .colon
    let holder = open[open.count - 1].node
    let isKnown = text.length == UInt64(text.bytes.count)
    node = isKnown ? Form.member(text.bytes.bytes, of: holder) : Form.other
  }

  private mutating func readString(
    _ chunk: RawSpan, _ at: inout Int, _ form: inout Form, _ sink: any EvidenceSink
  ) {
    let begin = offset + UInt64(at)
    // What lies whole in the chunk and has no escapes is lent from it.
    if begin == start + 1 {
      let end = JSONText.plainEnd(chunk, at)
      if end < chunk.byteCount, chunk.byte(at: end) == .quote, end - at <= form.most(of: node) {
        let scalar = JSONScalar(isString: true, length: UInt64(end - at), offset: start)
        form.scalar(chunk.extracting(at..<end), scalar, node, sink)
        at = end + 1
        return endValue()
      }
    }
    guard text.read(chunk, &at) else { return }
    if text.isBroken { return damaged(start, "a string with an escape that has no meaning") }
    report(isString: true, &form, sink)
    endValue()
  }

  private mutating func readLiteral(
    _ chunk: RawSpan, _ at: inout Int, _ form: inout Form, _ sink: any EvidenceSink
  ) {
    while at < chunk.byteCount {
      switch chunk.byte(at: at) {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E:
        text.append(literal: chunk.byte(at: at))
        at += 1
      default: return endLiteral(&form, sink)
      }
    }
  }

  private mutating func endLiteral(_ form: inout Form, _ sink: any EvidenceSink) {
    if node != Form.other { report(isString: false, &form, sink) }
    endValue()
  }

  private mutating func close(_ place: UInt64, _ form: inout Form, _ sink: any EvidenceSink) {
    form.end(open.removeLast().node, at: place, sink)
    endValue()
  }

  private mutating func endValue() {
    state = open.isEmpty ? .done : .behind
  }

  private mutating func damaged(_ place: UInt64, _ byte: UInt8) {
    let isPrintable = (0x21...0x7E).contains(byte)
    let found =
      isPrintable ? "“\(Character(Unicode.Scalar(byte)))”" : "byte \(String(byte, radix: 16))"
    let due =
      switch state {
      case .value, .valueOrEnd: "a value"
      case .keyOrEnd: "a key"
      case .colon: "a colon"
      case .done: "nothing more"
      default: "a comma or a closing bracket"
      }
    damaged(place, "\(found) stands where \(due) is due")
  }

  private mutating func damaged(_ place: UInt64, _ reason: String) {
    damage = Damage(offset: place, reason: reason)
    state = .damaged
  }
}
