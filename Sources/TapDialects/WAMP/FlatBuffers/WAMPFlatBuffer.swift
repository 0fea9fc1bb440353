// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Transcodes a message of `wamp.2.flatbuffers` to the JSON text of the WAMP list.
///
/// Absent options are left out: what was not sent is not shown. Where the schema names what an
/// absent one stands for, this is shown, as FlatBuffers omits default values; for the same reason
/// an absent id is shown as 0. An absent string is shown as null.
struct WAMPFlatBuffer {
  private(set) var fault: TranscodingFault?
  private(set) var peculiarities: [Peculiarity] = []
  private var reader = FlatBuffer()
  /// The end of the message that was read, in bytes.
  var extent: Int { reader.extent }
  private let maximumBytes: Int
  /// The largest allowed length of the text. It is needed because one string may be referenced many
  /// times.
  private var limit = 0

  /// - Parameter maximumBytes: the limit for the text of one message.
  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Appends the list; false, with `fault` set and nothing appended, when the message cannot be
  /// read.
  ///
  /// - Parameter transcoder: for the arguments, which are in another serializer.
  mutating func transcode(
    _ bytes: RawSpan, _ transcoder: inout Transcoder, into text: inout TextBuffer
  ) -> Bool {
    (fault, reader) = (nil, FlatBuffer())
    if !peculiarities.isEmpty { peculiarities.removeAll(keepingCapacity: true) }
    let before = text.count
    limit = before + maximumBytes
    append(bytes, &transcoder, &text)
    if fault == nil { fault = reader.fault }
    if fault != nil { text.truncate(before) }
    return fault == nil
  }

  private mutating func note(_ kind: Peculiarity.Kind, _ offset: Int, _ value: UInt64 = 0) {
    if peculiarities.count < Transcoder.maximumPeculiarities {
      peculiarities.append(Peculiarity(kind, offset: offset, value: value))
    }
  }

  private mutating func append(
    _ bytes: RawSpan, _ transcoder: inout Transcoder, _ text: inout TextBuffer
  ) {
    guard let root = reader.root(bytes) else { return }
    guard let tag = reader.natural(0, of: root, 1, bytes),
      let schema = FlatBufferTable.named(by: UInt8(truncatingIfNeeded: tag)),
      let table = reader.table(1, of: root, bytes)
    else { return reader.fail(.unexpected, root.position) }
    text.append(byte: 0x5B)
    text.append(decimal: schema.code)
    var shown: Set<Int> = []
    for element in schema.elements {
      switch element {
      case .field(let field):
        text.append(byte: 0x2C)
        shown.insert(field.slot)
        if !append(field, of: table, bytes, &text) { appendAbsent(field, &text) }
      case .dictionary(let fields), .optionalDictionary(let fields):
        shown.formUnion(fields.map(\.slot))
        if case .optionalDictionary = element,
          !fields.contains(where: { reader.has($0.slot, of: table, bytes) })
        {
          continue
        }
        text.append(byte: 0x2C)
        append(fields, of: table, bytes, &text)
      case .payload(let slot):
        shown.formUnion(slot..<slot + 3)
        append(payload: slot, of: table, bytes, &transcoder, &text)
      }
      if reader.fault != nil { return }
    }
    text.append(byte: 0x5D)
    // Fields that are newer than this schema, and the session field, which has no place in a WAMP
    // list.
    for slot in 0..<table.slots where !shown.contains(slot) && reader.has(slot, of: table, bytes) {
      note(.unplacedField, table.position, UInt64(slot))
    }
  }

  private func appendAbsent(_ field: FlatBufferField, _ text: inout TextBuffer) {
    switch field.kind {
    case .natural: text.append(byte: 0x30)
    case .map: text.append("{}")
    default: text.append("null")
    }
  }

  private mutating func append(
    _ fields: [FlatBufferField], of table: FlatBuffer.Table, _ bytes: RawSpan,
    _ text: inout TextBuffer
  ) {
    text.append(byte: 0x7B)
    var isFirst = true
    for field in fields {
      let isPresent = reader.has(field.slot, of: table, bytes)
      if !isPresent && field.absent.utf8CodeUnitCount == 0 { continue }
      if !isFirst { text.append(byte: 0x2C) }
      isFirst = false
      append(name: field.name, &text)
      if !isPresent {
        text.append(byte: 0x22)
        text.append(field.absent)
        text.append(byte: 0x22)
      } else if !append(field, of: table, bytes, &text) {
        return
      }
    }
    text.append(byte: 0x7D)
  }

  private func append(name: StaticString, _ text: inout TextBuffer) {
    text.append(byte: 0x22)
    text.append(name)
    text.append("\":")
  }

  /// The value of a field; false when it is absent or broken.
  private mutating func append(
    _ field: FlatBufferField, of table: FlatBuffer.Table, _ bytes: RawSpan,
    _ text: inout TextBuffer
  ) -> Bool {
    switch field.kind {
    case .natural(let width):
      guard let value = reader.natural(field.slot, of: table, width, bytes) else { return false }
      text.append(decimal: value)
    case .bool:
      guard let value = reader.natural(field.slot, of: table, 1, bytes) else { return false }
      if value == 0 { text.append("false") } else { text.append("true") }
    case .word(let words):
      guard let value = reader.natural(field.slot, of: table, 1, bytes) else { return false }
      append(word: value, of: words, &text)
    case .string:
      guard let range = reader.vector(field.slot, of: table, bytes) else { return false }
      append(string: range, bytes, &text)
    case .words(let words):
      guard let range = reader.vector(field.slot, of: table, bytes) else { return false }
      return list(range, 1, &text) { message, text, at in
        message.append(word: UInt64(bytes.byte(at: at)), of: words, &text)
        return true
      }
    case .naturals:
      guard let range = reader.vector(field.slot, of: table, elementOctets: 8, bytes) else {
        return false
      }
      return list(range, 8, &text) { _, text, at in
        text.append(decimal: FlatBuffer.natural(bytes, at, 8))
        return true
      }
    case .strings:
      guard let range = reader.vector(field.slot, of: table, elementOctets: 4, bytes) else {
        return false
      }
      return list(range, 4, &text) { message, text, at in
        guard let string = message.reader.vector(bytes, at: at) else { return false }
        message.append(string: string, bytes, &text)
        return true
      }
    case .principals:
      guard let range = reader.vector(field.slot, of: table, elementOctets: 4, bytes) else {
        return false
      }
      return list(range, 4, &text) { message, text, at in
        guard let principal = message.reader.table(bytes, at: at) else { return false }
        message.append(Self.principal, of: principal, bytes, &text)
        return message.reader.fault == nil
      }
    case .map:
      guard let map = reader.table(field.slot, of: table, bytes) else { return false }
      guard let key = reader.vector(0, of: map, bytes) else {
        text.append("{}")
        return reader.fault == nil
      }
      text.append(byte: 0x7B)
      append(string: key, bytes, &text)
      text.append(byte: 0x3A)
      if let value = reader.vector(1, of: map, bytes) {
        append(string: value, bytes, &text)
      } else {
        text.append("null")
      }
      text.append(byte: 0x7D)
    case .roles(let roles): return append(roles, field.slot, of: table, bytes, &text)
    }
    return true
  }

  private static let principal = [
    FlatBufferField(0, "session", .natural(8)), FlatBufferField(1, "authid", .string),
    FlatBufferField(2, "authrole", .string),
  ]

  private mutating func append(
    _ roles: [FlatBufferField.Role], _ slot: Int, of table: FlatBuffer.Table, _ bytes: RawSpan,
    _ text: inout TextBuffer
  ) -> Bool {
    guard let announced = reader.table(slot, of: table, bytes) else { return false }
    text.append(byte: 0x7B)
    var isFirst = true
    for (slot, role) in roles.enumerated() where reader.has(slot, of: announced, bytes) {
      guard let features = reader.table(slot, of: announced, bytes) else { return false }
      if !isFirst { text.append(byte: 0x2C) }
      isFirst = false
      append(name: role.name, &text)
      text.append("{\"features\":")
      let fields = role.features.enumerated().map { FlatBufferField($0.offset, $0.element, .bool) }
      append(fields, of: features, bytes, &text)
      text.append(byte: 0x7D)
    }
    text.append(byte: 0x7D)
    return true
  }

  private mutating func list(
    _ range: Range<Int>, _ step: Int, _ text: inout TextBuffer,
    _ element: (inout Self, inout TextBuffer, Int) -> Bool
  ) -> Bool {
    text.append(byte: 0x5B)
    for at in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      if at > range.lowerBound { text.append(byte: 0x2C) }
      guard element(&self, &text, at) else { return false }
      if text.count > limit {
        reader.fail(.tooLarge, at)
        return false
      }
    }
    text.append(byte: 0x5D)
    return true
  }

  /// Unknown enumeration values are shown as numbers; value 0 without a name as null.
  private func append(word: UInt64, of words: [StaticString], _ text: inout TextBuffer) {
    guard word < words.count else { return text.append(decimal: word) }
    let name = words[Int(word)]
    if name.utf8CodeUnitCount == 0 { return text.append("null") }
    text.append(byte: 0x22)
    text.append(name)
    text.append(byte: 0x22)
  }

  private mutating func append(
    string range: Range<Int>, _ bytes: RawSpan, _ text: inout TextBuffer
  ) {
    if !range.isEmpty && bytes.byte(at: range.lowerBound) == 0 {
      note(.leadingNUL, range.lowerBound)
    }
    if let invalid = JSONString.append(bytes.extracting(range), to: &text) {
      note(.invalidUTF8, range.lowerBound + invalid)
      BinaryString.append(bytes.extracting(range), to: &text)
    }
  }

  /// The arguments, in CBOR unless the message says otherwise, or the opaque payload in their
  /// place.
  private mutating func append(
    payload slot: Int, of table: FlatBuffer.Table, _ bytes: RawSpan,
    _ transcoder: inout Transcoder, _ text: inout TextBuffer
  ) {
    let arguments = reader.vector(slot, of: table, bytes)
    let keywords = reader.vector(slot + 1, of: table, bytes)
    if let payload = reader.vector(slot + 2, of: table, bytes) {
      text.append(byte: 0x2C)
      BinaryString.append(bytes.extracting(payload), to: &text)
      // Arguments beside an opaque payload cannot be shown.
      for other in [slot, slot + 1] where reader.has(other, of: table, bytes) {
        note(.unplacedField, table.position, UInt64(other))
      }
      return
    }
    let serializer = reader.natural(slot + 4, of: table, 1, bytes) ?? 0
    if let arguments {
      text.append(byte: 0x2C)
      append(part: arguments, serializer, bytes, &transcoder, &text)
    } else if keywords != nil {
      text.append(",[]")
    }
    if let keywords {
      text.append(byte: 0x2C)
      append(part: keywords, serializer, bytes, &transcoder, &text)
    }
  }

  private mutating func append(
    part range: Range<Int>, _ serializer: UInt64, _ bytes: RawSpan,
    _ transcoder: inout Transcoder, _ text: inout TextBuffer
  ) {
    let before = text.count
    let inside = bytes.extracting(0..<range.upperBound)
    let kind: Serializer? =
      switch serializer {
      case 0, 3: .cbor
      case 2: .messagePack
      case 4: .ubjson
      default: nil
      }
    if serializer == 1 {
      var scanner = JSONScanner(maximumDepth: 64)
      let part = bytes.extracting(range)
      if scanner.scan(part) == part.byteCount && UTF8.firstInvalid(in: part) == nil {
        return CompactJSON.append(part, to: &text)
      }
      note(.unreadablePart, range.lowerBound + scanner.offset)
    } else if let kind {
      let end = transcoder.transcode(inside, kind, from: range.lowerBound, into: &text)
      if end == range.upperBound {
        for found in transcoder.peculiarities { note(found.kind, found.offset, found.value) }
        return
      }
      note(.unreadablePart, transcoder.fault?.offset ?? end ?? range.lowerBound)
    } else {
      note(.unreadablePart, range.lowerBound)
    }
    text.truncate(before)
    BinaryString.append(bytes.extracting(range), to: &text)
  }
}
