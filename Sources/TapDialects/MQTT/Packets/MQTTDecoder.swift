// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Reads one control packet after the other and writes each as the JSON that stands for it in
/// every output: `{"topic":"a/b","qos":1,"retain":false,"dup":false,"payload":"hi"}`.
struct MQTTDecoder: ~Copyable {
  /// The packet that was read last.
  var packet = MQTTPacket()
  /// Its filters, if it is SUBSCRIBE or UNSUBSCRIBE.
  var filters = ContiguousArray<MQTTFilter>()
  /// Its JSON.
  var text = TextBuffer(capacity: 512)
  /// Ranges of the JSON.
  var notes = ContiguousArray<Note>()
  /// The topic, or the only filter, in the JSON.
  var subject = ByteRange()
  /// The payload in the JSON, as a line shows it.
  var payload = ByteRange()
  var traits: Message.Traits = []
  var faults = ContiguousArray<MQTTFault>()
  /// An alias stands for a topic that nobody has seen.
  var isAliasUnknown = false
  /// Properties of the packet in their order.
  var properties = ContiguousArray<MQTTPropertyValue>()
  /// All of the JSON is printable ASCII.
  var isPlain = true
  var scanner: JSONScanner
  /// A key and a value of the application, while they are looked at.
  var pair = Scratch()
  // Where the cursor stands in the packet.
  var at = 0
  /// No key was written to the object that is open.
  var isFirstKey = true
  let most: Int

  init(limits: Limits) {
    scanner = JSONScanner(maximumDepth: limits.nesting)
    most = limits.mqttFilters
  }

  /// Reads a packet. What cannot be read is a fault, and all that stands before it is written.
  ///
  /// - Parameters:
  ///   - bytes: all of the packet.
  ///   - header: bytes of its fixed header.
  ///   - level: of the connection; CONNECT brings its own.
  mutating func decode(
    _ bytes: RawSpan, header: Int, level: UInt8, _ aliases: inout MQTTAliases
  ) {
    begin(bytes, header: header, level: level)
    guard let type = packet.type else { return reserved(bytes) }
    if type == .publish {
      publish(bytes, &aliases)
      traits = traits.union([.isText, .isJSON, .isCompact])
      if isPlain { traits.insert(.isPlain) }
      return
    }
    text.append(byte: UInt8(ascii: "{"))
    checkFlags(type)
    if type.beginsWithID { readID(bytes) }
    if packet.isWhole { readBody(type, bytes) }
    if packet.isWhole && at < bytes.byteCount {
      fault(
        .mqttLength, .error,
        "\(counted(bytes.byteCount - at, "byte")) behind the end of its content belong to no field")
    }
    text.append(byte: UInt8(ascii: "}"))
    traits = traits.union([.isText, .isJSON, .isCompact])
    if isPlain { traits.insert(.isPlain) }
  }

  private mutating func begin(_ bytes: RawSpan, header: Int, level: UInt8) {
    reset(level: level)
    packet.first = bytes.byte(at: 0)
    packet.length = bytes.byteCount
    packet.type = MQTTType(rawValue: packet.first >> 4)
    if packet.type == .auth && level < MQTTLevel.v5 { packet.type = nil }
    at = header
  }

  /// Forgets the packet before.
  mutating func reset(level: UInt8) {
    packet = MQTTPacket()
    packet.level = level
    text.removeAll()
    if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
    if !faults.isEmpty { faults.removeAll(keepingCapacity: true) }
    if !filters.isEmpty { filters.removeAll(keepingCapacity: true) }
    if !properties.isEmpty { properties.removeAll(keepingCapacity: true) }
    (subject, payload, traits) = (ByteRange(), ByteRange(), [])
    (isAliasUnknown, isPlain, isFirstKey) = (false, true, true)
  }

  private mutating func readBody(_ type: MQTTType, _ bytes: RawSpan) {
    switch type {
    case .connect: connect(bytes)
    case .connack: connack(bytes)
    case .puback, .pubrec, .pubrel, .pubcomp, .disconnect, .auth: reply(type, bytes)
    case .subscribe, .unsubscribe: subscribe(type, bytes)
    case .suback, .unsuback: suback(type, bytes)
    case .publish, .pingreq, .pingresp: break
    }
  }

  /// A type that this level does not have: its content is bytes.
  private mutating func reserved(_ bytes: RawSpan) {
    let number = packet.first >> 4
    fault(
      .mqttTypeReserved, .error,
      number == 0
        ? "packet type 0 is reserved" : "packet type 15 (AUTH) does not exist before MQTT 5.0")
    text.append(#"{"base64":""#)
    Base64.append(bytes.dropping(at), to: &text)
    text.append("\"}")
    payload = ByteRange(0, text.count)
    traits = [.isText, .isJSON, .isCompact, .isPlain, .isBytes]
    packet.isWhole = false
  }

  /// All but PUBLISH have fixed flags. MQTT 3.1 uses some of them for repeated packets.
  private mutating func checkFlags(_ type: MQTTType) {
    let flags = packet.first & 15
    if flags == type.fixedFlags { return }
    if packet.level == MQTTLevel.v31 && type.fixedFlags != 0 && flags & 0b0111 == 2 { return }
    fault(
      .mqttReservedBits, .error,
      "the flags of \(type.name) are \(Self.bits(flags, 4)), and must be"
        + " \(Self.bits(type.fixedFlags, 4))",
      MQTTRule("2.2.2-1", "2.1.3-1"))
  }

  private mutating func readID(_ bytes: RawSpan) {
    guard let id = uint16(bytes, "the packet identifier") else { return }
    packet.id = id
    checkID()
  }

  mutating func checkID() {
    guard packet.id == 0 else { return }
    fault(
      .mqttIDZero, .error, "the packet identifier is 0, which is none",
      MQTTRule("2.3.1-1", "2.2.1-3"))
  }

  // MARK: - The cursor

  mutating func fault(
    _ code: Finding.Code, _ severity: Finding.Severity, _ text: String, _ rule: MQTTRule = .none
  ) {
    faults.append(MQTTFault(code: code, severity: severity, text: text, rule: rule))
  }

  /// The packet ends inside of a field.
  mutating func tooShort(_ what: StaticString) {
    packet.isWhole = false
    fault(.mqttLength, .error, "it ends inside of \(what)")
  }

  mutating func uint8(_ bytes: RawSpan, _ what: StaticString) -> UInt8? {
    guard at < bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at += 1
    return bytes.byte(at: at - 1)
  }

  @inline(__always)
  mutating func uint16(_ bytes: RawSpan, _ what: StaticString) -> UInt16? {
    guard at &+ 2 <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at &+= 2
    return bytes.uint16(at: at &- 2)
  }

  /// What stands behind a length of two bytes.
  @inline(__always)
  mutating func prefixed(_ bytes: RawSpan, _ what: StaticString) -> ByteRange? {
    guard at &+ 2 <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    let start = at &+ 2
    let end = start &+ Int(bytes.uint16(at: at))
    guard end <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at = end
    return ByteRange(start, end)
  }

  // MARK: - JSON

  mutating func key(_ name: StaticString) {
    text.append(isFirstKey ? "\"" : ",\"")
    isFirstKey = false
    text.append(name)
    text.append("\":")
  }

  mutating func open(_ bracket: UInt8 = UInt8(ascii: "{")) {
    text.append(byte: bracket)
    isFirstKey = true
  }

  mutating func close(_ bracket: UInt8 = UInt8(ascii: "}")) {
    text.append(byte: bracket)
    isFirstKey = false
  }

  /// Writes a text in quotes and answers the range between them.
  @inline(__always) @discardableResult
  mutating func write(string bytes: RawSpan, _ what: StaticString) -> ByteRange {
    let start = text.count &+ 1
    if !text.append(quotingPlain: bytes) { writeOdd(bytes, what) }
    return ByteRange(start, text.count &- 1)
  }

  /// A text that has something to be escaped (MQTT 5.0 §1.5.4).
  @inline(never)
  private mutating func writeOdd(_ bytes: RawSpan, _ what: StaticString) {
    let start = text.count
    if bytes.firstIndex(of: 0) != nil {
      fault(
        .mqttUTF8, .error, "\(what) has the character U+0000", MQTTRule("1.5.3-2", "1.5.4-2"))
    }
    if let place = text.append(quoting: bytes) {
      fault(
        .mqttUTF8, .error, "\(what) is no UTF-8 from byte \(place) on",
        MQTTRule("1.5.3-1", "1.5.4-1"))
      text.append(jsonString: bytes)
    }
    lookForUnplain(from: start)
  }

  /// Bytes that may be text: in quotes where they are UTF-8, else in Base64.
  ///
  /// - Returns: where the text stands between its quotes, or the digits of Base64 between theirs.
  @discardableResult
  mutating func write(binary bytes: RawSpan) -> (digits: ByteRange, isText: Bool) {
    let start = text.count
    if text.append(quotingPlain: bytes) {
      return (ByteRange(start &+ 1, text.count &- 1), true)
    }
    if text.append(quoting: bytes) == nil {
      lookForUnplain(from: start)
      return (ByteRange(start &+ 1, text.count &- 1), true)
    }
    text.append(#"{"base64":""#)
    Base64.append(bytes, to: &text)
    text.append("\"}")
    return (ByteRange(start &+ 11, text.count &- 2), false)
  }

  mutating func lookForUnplain(from start: Int) {
    if isPlain { isPlain = Self.isPrintable(text.bytes.dropping(start)) }
  }

  static func isPrintable(_ bytes: RawSpan) -> Bool {
    var at = 0
    while at &+ 8 <= bytes.byteCount {
      if !isPrintable(bytes.word(unchecked: at)) { return false }
      at &+= 8
    }
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte < 0x20 || byte >= 0x7F { return false }
      at &+= 1
    }
    return true
  }

  /// Whether all eight bytes are printable ASCII.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return ((word &- ones &* 0x20) | (word &+ ones) | word) & (ones &* 0x80) == 0
  }

  /// A number, and where it stands.
  @discardableResult
  mutating func write(number: Int) -> ByteRange {
    let start = text.count
    text.append(decimal: number)
    return ByteRange(start, text.count)
  }

  @discardableResult
  mutating func write(boolean: Bool) -> ByteRange {
    let start = text.count
    text.append(boolean ? "true" : "false")
    return ByteRange(start, text.count)
  }

  mutating func note(_ word: StaticString, _ range: ByteRange, _ kind: Note.Kind = .fact) {
    if !range.isEmpty { notes.append(Note(kind, Symbol(word), range)) }
  }

  // MARK: - Words

  /// `0010`
  static func bits(_ value: UInt8, _ count: Int) -> String {
    let digits = String(value, radix: 2)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// At most 64 bytes of it.
  static func quoted(_ bytes: RawSpan) -> String {
    let shown = bytes.extracting(0..<min(bytes.byteCount, 64))
    return String(decoding: shown.copied(), as: Unicode.UTF8.self)
      + (bytes.byteCount > 64 ? "…" : "")
  }
}
