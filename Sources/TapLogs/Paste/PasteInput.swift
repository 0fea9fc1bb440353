// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
public import TapEvidence
public import TapTraffic

/// Messages pasted as text: JSON arrays one after another, separated by white space, commas or line
/// ends. From the first thing on that is none of these, the text is a log. It finds where each ends
/// (strings and nesting respected) and does not judge what is inside; who reads the message will.
public struct PasteInput: InputKind {
  public static let name: StaticString = "messages"

  private let place: Place
  private let limits: Limits
  private let recogniser: any TextRecogniser
  private var scanner = PasteScanner()
  /// The beginning of a value or of something not understood that came with earlier chunks.
  private var carry = Scratch()
  /// Bytes of the file before this chunk.
  private var offset: UInt64 = 0
  /// Where the value began.
  private var start: UInt64 = 0
  /// Reads the text as a log from the first thing on that is no array.
  private var log: LogInput?
  /// The log began with a list, and the end of that line may still come.
  private var mayEndLine = false
  /// One of the lists is like a message.
  private var hasMessage = false

  /// - Parameters:
  ///   - input: the number of this input, which goes into every origin.
  ///   - takesObjects: whether an object is a message, too; in a log it is a record.
  public init(
    input: UInt16, limits: Limits, choice: InputChoice = InputChoice(), takesObjects: Bool = false
  ) {
    self.init(Place(input: input, choice: choice), limits: limits)
    scanner.takesObjects = takesObjects
  }

  public init(_ place: Place, limits: Limits) {
    self.place = place
    self.limits = limits
    recogniser = place.choice.recogniser()
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var scanner = PasteScanner()
    for at in 0..<head.byteCount {
      switch scanner.step(head.byte(at: at)) {
      case .space: continue
      case .begin:
        if isBytes(head, from: at + 1) { return .no }
        return PasteStart(head, isAll: isAll).claim(at)
      default: return .no
      }
    }
    return isAll ? .no : .undecided
  }

  /// Whether a list begins with `0x`: then it is bytes, and no JSON.
  private static func isBytes(_ head: RawSpan, from start: Int) -> Bool {
    let at = head.behindSpace(start)
    return at + 1 < head.byteCount && head.byte(at: at) == UInt8(ascii: "0")
      && head.byte(at: at + 1) | 0x20 == UInt8(ascii: "x")
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if log != nil { return passOn(chunk, sink) }
    // Where what is being read begins in this chunk.
    var first = 0
    for at in 0..<chunk.byteCount {
      switch scanner.step(chunk.byte(at: at)) {
      case .space: first = at + 1
      case .begin: (first, start) = (at, offset + UInt64(at))
      case .inside: continue
      case .end:
        message(chunk.extracting(first..<at + 1), sink)
        first = at + 1
        if log != nil {
          mayEndLine = true
          return passOn(chunk.dropping(first), sink)
        }
      case .foreign:
        offset += UInt64(at)
        handOver(sink)
        log?.receive(chunk.dropping(at), sink)
        return
      }
    }
    offset += UInt64(chunk.byteCount)
    if scanner.isInValue { keep(chunk.dropping(first)) }
  }

  private mutating func passOn(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if chunk.isEmpty { return }
    let isEnd = mayEndLine && chunk.byte(at: 0) == .lineFeed
    mayEndLine = false
    log?.receive(chunk.dropping(isEnd ? 1 : 0), sink)
  }

  public var waiting: UInt64? { log?.waiting }
  public mutating func settle(_ sink: any EvidenceSink) { log?.settle(sink) }

  public mutating func finish(_ sink: any EvidenceSink) {
    let nothing = Scratch()
    if log == nil && scanner.isInValue { message(nothing.bytes, isCut: true, sink) }
    reportComma(sink)
    log?.finish(sink)
  }

  /// Keeps what is not whole, up to one byte more than is allowed: enough to know later that it is
  /// too large.
  private mutating func keep(_ bytes: RawSpan) {
    let most = limits.messageBytes + 1
    carry.append(bytes.extracting(0..<min(bytes.byteCount, max(0, most - carry.count))))
  }

  /// A list that is all there, or is cut off.
  private mutating func whole(
    _ list: RawSpan, _ delivery: Delivery, isCut: Bool, _ sink: any EvidenceSink
  ) {
    if recogniser.recognise(list, .text).grade != .none {
      hasMessage = true
    } else if let messages = messages(in: list) {
      return each(messages, of: list, delivery, sink)
    }
    if JSONScanner.isList(list, limits) { return sink.message(list, delivery) }
    if repaired(list, delivery, sink) || isCut && cut(list, delivery, sink) { return }
    // It may be escaped, in another notation, or cut, as lines of logs are.
    guard ListStart.next(list, from: 0) == 0 else { return sink.message(list, delivery) }
    var rest = place
    rest.choice.isPasted = true
    var log = LogInput(rest, limits: limits, from: start)
    log.receive(list, sink)
    log.endLine(sink)
    if log.hasMessages { self.log = log } else { sink.message(list, delivery) }
  }

  /// Reports a message that is one but for a comma or quotes; false when it is none.
  private mutating func repaired(
    _ list: RawSpan, _ delivery: Delivery, _ sink: any EvidenceSink
  ) -> Bool {
    guard let repair = PasteRepair(list), !repair.isEmpty,
      JSONScanner.isList(repair.json.bytes, limits)
    else { return false }
    let isOne = recogniser.recognise(repair.json.bytes, .text).grade != .none
    let several = isOne ? nil : messages(in: repair.json.bytes)
    guard isOne || several != nil else { return false }
    hasMessage = true
    if isOne {
      sink.message(repair.json.bytes, delivery)
    } else {
      each(several ?? [], of: repair.json.bytes, delivery, sink)
    }
    repair.report(place, delivery, sink)
    return true
  }

  /// Reports the beginning of a message, as far as it goes; false when it is none.
  private mutating func cut(
    _ list: RawSpan, _ delivery: Delivery, _ sink: any EvidenceSink
  ) -> Bool {
    guard let (json, _) = CutList.message(list, recogniser) else { return false }
    hasMessage = true
    var beginning = delivery
    beginning.kind = .abridged
    sink.message(json.bytes, beginning)
    sink.finding(
      .pasteCut, .note, delivery.origin,
      "the text ends inside of this message: “…” stands for what is missing",
      isAboutLastMessage: true)
    return true
  }

  /// A comma behind the last message, with nothing behind it.
  private func reportComma(_ sink: any EvidenceSink) {
    guard log == nil, !scanner.isInValue, let comma = scanner.comma else { return }
    sink.finding(
      .pasteTrailingComma, .note, place.origin(start),
      "a comma stands behind the last message, at \(place.byte(comma))",
      isAboutLastMessage: true)
  }

  /// The elements of a list, as messages are kept for tests and by programs that save a session,
  /// `[[48,1,{},"com.x"],[50,1,{}]]`: where it has nothing but lists, and one of them is hardly
  /// anything but a message.
  private func messages(in list: RawSpan) -> [ByteRange]? {
    guard JSONScanner.isList(list, limits) else { return nil }
    var elements = JSON.Members(ofArray: ByteRange(0, list.byteCount))
    var found: [ByteRange] = []
    var isLikely = false
    while let element = elements.next(list)?.value {
      guard element.kind == .array else { return nil }
      isLikely = isLikely || recogniser.recognise(list[element.range], .text).grade == .likely
      found.append(element.range)
    }
    return isLikely ? found : nil
  }

  /// Each is reported by itself.
  private mutating func each(
    _ messages: [ByteRange], of list: RawSpan, _ delivery: Delivery, _ sink: any EvidenceSink
  ) {
    hasMessage = true
    for message in messages {
      var own = delivery
      own.origin.offset += UInt64(message.start)
      sink.message(list[message], own)
    }
  }

  /// What follows is no array: it is read as a log, in which messages were found already.
  private mutating func handOver(_ sink: any EvidenceSink) {
    sink.finding(
      .pasteNotUnderstood, .note, place.origin(offset),
      "what stands at \(place.byte(offset)) is no message: from there on the text is read"
        + " as a log")
    var rest = place
    // If no list so far was a message, they were lines of a log.
    rest.choice.isPasted = place.choice.isPasted || hasMessage
    log = LogInput(rest, limits: limits, from: offset)
  }

  private mutating func message(
    _ last: RawSpan, isCut: Bool = false, _ sink: any EvidenceSink
  ) {
    let length = carry.count + last.byteCount
    let delivery = Delivery(place.origin(start), .text)
    if length > limits.messageBytes {
      sink.finding(
        .pasteTooLarge, .warning, delivery.origin,
        "the message at \(place.byte(start)) is larger than \(limits.messageBytes) bytes;"
          + " it is skipped")
    } else if carry.isEmpty {
      return whole(last, delivery, isCut: isCut, sink)
    } else {
      carry.append(last)
      var text = Scratch()
      swap(&text, &carry)
      whole(text.bytes, delivery, isCut: isCut, sink)
      swap(&text, &carry)
    }
    carry.removeAll()
    carry.shrink(above: 1 << 20)
  }
}

extension Finding.Code {
  static let pasteNotUnderstood: Finding.Code = "paste.not-understood"
  static let pasteTooLarge: Finding.Code = "paste.too-large"
}
