// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Reads the tagged netstrings (https://tnetstrings.info) of a file of flows, which come in chunks,
/// cut anywhere, and are never held. A value says only behind its end what it is, so that what is
/// to be looked into is known by its place (`FlowReader`). What does not make sense inside a value
/// of the row ends that value, since its length is known.
struct NetStringStream {
  private enum State {
    case length, content, tag
    /// Up to the end of the outermost value.
    case lost
    case stopped
  }

  private struct Open {
    var node: FlowReader.Node
    /// Where its content ends and its tag stands.
    var end: UInt64
    /// Values in it so far; in a dictionary, keys count.
    var count = 0
  }

  /// Digits of a length; mitmproxy takes no more.
  private static let mostDigits = 12

  /// Bytes behind the place where nothing more could be read.
  private(set) var unread: UInt64 = 0
  /// Bytes of the file before this chunk.
  private(set) var offset: UInt64 = 0

  private var state = State.length
  private var open: ContiguousArray<Open> = []
  private var digits = 0
  private var length: UInt64 = 0
  /// Where the value stands that is read.
  private var node = FlowReader.root
  /// In a dictionary, the place of the value whose key was just read.
  private var member = FlowReader.other
  private var isKey = false
  private var start: UInt64 = 0
  private var end: UInt64 = 0
  private var held = Scratch()
  private var most = 0

  /// No value of the row has begun that has not ended.
  var isBetween: Bool { open.isEmpty && state == .length && digits == 0 }

  var isStopped: Bool { state == .stopped }

  mutating func receive(_ chunk: RawSpan, _ form: inout FlowReader, _ sink: any EvidenceSink) {
    var at = 0
    while at < chunk.byteCount {
      let here = offset + UInt64(at)
      switch state {
      case .length:
        if let last = open.last, here == last.end {
          // A container whose content is used up has its tag next.
          state = .tag
          if digits > 0 { lose(here, "a length ends before its colon", &form, sink) }
        } else {
          readLength(chunk.byte(at: at), here, &form, sink)
          at += 1
        }
      case .content: readContent(chunk, &at, &form, sink)
      case .tag:
        readTag(chunk.byte(at: at), here, &form, sink)
        at += 1
      case .lost:
        let step = min(end - here, UInt64(chunk.byteCount - at))
        at += Int(step)
        if here + step == end { state = .length }
      case .stopped:
        unread += UInt64(chunk.byteCount - at)
        at = chunk.byteCount
      }
    }
    offset += UInt64(chunk.byteCount)
  }

  /// The file ends: what is open ends with it.
  mutating func finish(_ form: inout FlowReader, _ sink: any EvidenceSink) {
    while let last = open.popLast() { form.end(last.node, isWhole: false, sink) }
  }

  private mutating func readLength(
    _ byte: UInt8, _ here: UInt64, _ form: inout FlowReader, _ sink: any EvidenceSink
  ) {
    if byte.isDigit && digits < Self.mostDigits {
      length = length * 10 + UInt64(byte - 0x30)
      digits += 1
      return
    }
    guard byte == .colon && digits > 0 else {
      return lose(here, "a length is due", &form, sink)
    }
    start = here + 1
    end = start + length
    (digits, length) = (0, 0)
    if let last = open.last, end >= last.end {
      return lose(start, "a value is longer than what it is in", &form, sink)
    }
    place()
    let shape = isKey ? .simple : FlowReader.shape(of: node)
    if shape != .simple && end > start {
      form.begin(node, at: start, sink)
      open.append(Open(node: node, end: end))
      return state = .length
    }
    held.removeAll()
    held.shrink(above: 1 << 20)
    most = isKey ? 64 : node == FlowReader.other ? 0 : form.most(of: node)
    state = end > start ? .content : .tag
  }

  /// Finds out what the value is that begins.
  private mutating func place() {
    guard let last = open.last else {
      (node, isKey) = (FlowReader.root, false)
      return
    }
    open[open.count - 1].count += 1
    if FlowReader.shape(of: last.node) == .list {
      (node, isKey) = (FlowReader.element(last.count, of: last.node), false)
    } else {
      isKey = last.count % 2 == 0
      node = isKey ? FlowReader.other : member
    }
  }

  private mutating func readContent(
    _ chunk: RawSpan, _ at: inout Int, _ form: inout FlowReader, _ sink: any EvidenceSink
  ) {
    let here = offset + UInt64(at)
    let step = Int(min(end - here, UInt64(chunk.byteCount - at)))
    let room = max(0, most - held.count)
    held.append(chunk.extracting(at..<at + min(step, room)))
    at += step
    if here + UInt64(step) == end { state = .tag }
  }

  private mutating func readTag(
    _ tag: UInt8, _ here: UInt64, _ form: inout FlowReader, _ sink: any EvidenceSink
  ) {
    state = .length
    if let last = open.last, here == last.end {
      let due: UInt8 = FlowReader.shape(of: last.node) == .list ? .closeBracket : .closeBrace
      if tag != due {
        return lose(here, "something else was expected to end here", &form, sink)
      }
      open.removeLast()
      return form.end(last.node, isWhole: true, sink)
    }
    guard [0x2C, 0x3B, 0x23, 0x5E, 0x21, 0x7E, 0x5D, 0x7D].contains(tag) else {
      return lose(here, "a value ends without a tag", &form, sink)
    }
    if isKey {
      member =
        held.count == Int(end - start)
        ? FlowReader.member(held.bytes, of: open[open.count - 1].node) : FlowReader.other
    } else if node != FlowReader.other {
      let value = NetStringScalar(tag: tag, length: end - start, offset: start)
      form.scalar(held.bytes, value, node, sink)
    }
  }

  /// What is read makes no sense: goes on behind the outermost value, if there is one.
  private mutating func lose(
    _ place: UInt64, _ reason: String, _ form: inout FlowReader, _ sink: any EvidenceSink
  ) {
    form.damaged(at: place, reason, isEnd: open.isEmpty, sink)
    (digits, length) = (0, 0)
    guard let outer = open.first else { return state = .stopped }
    finish(&form, sink)
    // With its tag.
    end = outer.end + 1
    state = .lost
  }
}
