// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The state of a connection whose messages are not plain JSON: how they are carried, and the JSON
/// text of the current message.
struct WAMPDecoding: ~Copyable {
  /// Capacity of the text buffer that is kept from one message to the next, in bytes.
  private static let usualRoom = 1 << 20

  /// Nil until negotiated or recognised from a message.
  private(set) var carriage: WAMPCarriage?
  /// The carriage was guessed from a message, and the finding about that is still to be reported.
  var mustReportRecognition = false
  /// The carriage was guessed from a message.
  private var isRecognised = false
  /// The JSON text of the last message.
  private(set) var text = TextBuffer(capacity: 1 << 10)
  /// The last message reads differently as UBJSON and as BJData, and no message so far has shown
  /// which of them it is.
  private(set) var isAmbiguous = false
  /// Bytes follow the end of the last message.
  var isFollowed = false
  /// The finding about the separator 0x18 (octal 30), sent instead of 0x1E, was reported.
  var hasReportedSeparator = false

  private let nesting: Int
  private var transcoder: Transcoder
  private var flatBuffer: WAMPFlatBuffer
  /// Whether "UBJSON" means UBJSON or BJData, once a message has shown it.
  private var dialect: Serializer?

  /// - Parameter carriage: as negotiated; nil when that is not known.
  init(_ carriage: WAMPCarriage?, limits: Limits) {
    self.carriage = carriage
    nesting = limits.nesting
    transcoder = Transcoder(
      maximumDepth: limits.nesting, maximumBytes: limits.messageBytes)
    flatBuffer = WAMPFlatBuffer(maximumBytes: limits.messageBytes)
  }

  /// Whether the text of messages was made here, not sent.
  var isTranscoded: Bool { carriage.map { !$0.isText } ?? false }

  /// The serializer's name in findings: BJData instead of UBJSON once that is known; both names
  /// while it was only guessed and no message has shown which it is.
  var serializerName: StaticString {
    if carriage?.serializer == .ubjson {
      if dialect == .bjdata { return "BJData" }
      if dialect == nil && isRecognised { return "UBJSON or BJData" }
    }
    return carriage.map { WAMPCarriage(serializer: $0.serializer).name } ?? "JSON"
  }

  /// Why the last message could not be read.
  var fault: TranscodingFault? {
    carriage?.serializer == .flatBuffers ? flatBuffer.fault : transcoder.fault
  }

  /// How many bytes at the end of the last message were not read, unless all are zero padding. Only
  /// for FlatBuffers, whose messages do not say where they end.
  func unread(_ message: RawSpan) -> Int {
    guard carriage?.serializer == .flatBuffers else { return 0 }
    let rest = message.dropping(flatBuffer.extent)
    for at in 0..<rest.byteCount where rest.byte(at: at) != 0 { return rest.byteCount }
    return 0
  }

  /// What the last message contained that JSON cannot express: the first few.
  var peculiarities: ContiguousArray<Peculiarity> {
    carriage?.serializer == .flatBuffers
      ? ContiguousArray(flatBuffer.peculiarities) : transcoder.peculiarities
  }

  /// How many of them there were.
  var peculiarityCount: Int {
    carriage?.serializer == .flatBuffers
      ? flatBuffer.peculiarities.count : transcoder.peculiarityCount
  }

  /// Assumes that all messages are carried as this one seems to be.
  mutating func recognised(_ carriage: WAMPCarriage, mustReport: Bool) {
    (self.carriage, mustReportRecognition, isRecognised) = (carriage, mustReport, true)
  }

  /// Writes one message to `text`, and returns the offset of its end, which may be before the end
  /// of the range. Nil, with `fault` set, when it cannot be read.
  mutating func transcode(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
    text.removeAll()
    isAmbiguous = false
    let inside = bytes.extracting(0..<range.upperBound)
    let start = range.lowerBound
    switch carriage?.serializer {
    case .messagePack: return transcoder.transcode(inside, .messagePack, from: start, into: &text)
    case .cbor: return transcoder.transcode(inside, .cbor, from: start, into: &text)
    case .ubjson: return ubjson(inside, start)
    case .flatBuffers:
      let isRead = flatBuffer.transcode(bytes.extracting(range), &transcoder, into: &text)
      return isRead ? range.upperBound : nil
    case .json, nil: return nil
    }
  }

  private mutating func ubjson(_ inside: RawSpan, _ start: Int) -> Int? {
    if let dialect {
      if let end = transcoder.transcode(inside, dialect, from: start, into: &text) { return end }
      guard dialect == .ubjson else { return nil }
      // The markers m, u, M and h exist only in BJData, so all messages were BJData.
      text.removeAll()
      if let end = transcoder.transcode(inside, .bjdata, from: start, into: &text) {
        self.dialect = .bjdata
        return end
      }
      text.removeAll()
      return transcoder.transcode(inside, .ubjson, from: start, into: &text)
    }
    let isRead = transcoder.transcode(inside, .ubjson, from: start, into: &text) != nil
    let other = text.bytes.copied()
    text.removeAll()
    let end = transcoder.transcode(inside, .bjdata, from: start, into: &text)
    if isRead && end != nil {
      // Both readings are equal as long as no number has more than one byte.
      if text.bytes.equals(other.span.bytes) { return end }
      // If only one reading is WAMP, it is the right one.
      let fits = (ubjson: isWAMP(other.span.bytes), bjdata: isWAMP(text.bytes))
      if fits.ubjson != fits.bjdata { dialect = fits.ubjson ? .ubjson : .bjdata }
    }
    text.removeAll()
    dialect = dialect ?? transcoder.dialect(ofUBJSON: inside.dropping(start), &text)
    isAmbiguous = dialect == nil && isRead && end != nil
    // Default to BJData, which current software sends.
    return transcoder.transcode(inside, dialect ?? .bjdata, from: start, into: &text)
  }

  /// Writes the beginning of one message to `text`, with its open containers closed. False when it
  /// is not certain how to read it.
  mutating func transcode(beginning bytes: RawSpan) -> Bool {
    text.removeAll()
    isAmbiguous = false
    // A batch may hold further messages.
    guard let carriage, !carriage.isBatched, carriage.serializer.likeness(of: bytes) > .no else {
      return false
    }
    switch carriage.serializer {
    case .messagePack: return transcoder.transcode(beginning: bytes, .messagePack, into: &text)
    case .cbor: return transcoder.transcode(beginning: bytes, .cbor, into: &text)
    case .ubjson:
      if let dialect { return transcoder.transcode(beginning: bytes, dialect, into: &text) }
      let isRead = transcoder.transcode(beginning: bytes, .ubjson, into: &text)
      let other = text.bytes.copied()
      text.removeAll()
      return transcoder.transcode(beginning: bytes, .bjdata, into: &text) && isRead
        && text.bytes.equals(other.span.bytes)
    case .json, .flatBuffers: return false
    }
  }

  /// Whether `isHeld` is true of the beginning of one message in any possible reading: UBJSON and
  /// BJData have opposite byte orders.
  mutating func mayHold(
    beginning bytes: RawSpan, _ isHeld: (RawSpan) -> Bool
  ) -> Bool {
    let readings: [Serializer] =
      switch carriage?.serializer {
      case .messagePack: [.messagePack]
      case .cbor: [.cbor]
      case .ubjson: [.ubjson, .bjdata]
      case .json, .flatBuffers, nil: []
      }
    for reading in readings {
      text.removeAll()
      let isRead = transcoder.transcode(beginning: bytes, reading, into: &text)
      if isRead && isHeld(text.bytes) { return true }
    }
    return false
  }

  /// Parses the text of the last message.
  func read(_ array: inout WAMPArray) {
    if carriage?.serializer == .flatBuffers { return array.read(text.bytes) }
    array.read(text.bytes, madeBy: transcoder)
  }

  private func isWAMP(_ text: RawSpan) -> Bool {
    var array = WAMPArray(maximumDepth: nesting)
    array.read(text)
    return array.problem == nil
  }

  /// The message was reported: clears its text, and frees an unusually large buffer.
  mutating func endMessage() {
    isFollowed = false
    text.removeAll()
    text.shrink(above: Self.usualRoom)
  }

  /// Guesses how a message is carried; nil when it cannot be read as WAMP in any way.
  static func recognise(_ bytes: RawSpan, _ kind: Delivery.Kind) -> WAMPCarriage? {
    let limits = Limits()
    var array = WAMPArray(maximumDepth: limits.nesting)
    if kind != .binary {
      array.read(bytes)
      if array.problem == nil && array.type != nil { return .plain }
      guard bytes.byteCount > 0, endsBatch(bytes) else { return nil }
      var batch = Batch(.separated)
      guard let first = batch.next(bytes) else { return nil }
      array.read(bytes.extracting(first))
      guard array.problem == nil && array.type != nil else { return nil }
      return WAMPCarriage(serializer: .json, isBatched: true)
    }
    guard let found = WAMPSerializer.recognise(bytes), found.serializer != .json else { return nil }
    let carriage = WAMPCarriage(serializer: found.serializer, isBatched: found.isBatched)
    var first = 0..<bytes.byteCount
    if found.isBatched {
      var batch = Batch(.prefixed)
      guard let range = batch.next(bytes) else { return nil }
      first = range
    }
    var decoding = WAMPDecoding(carriage, limits: limits)
    guard decoding.transcode(bytes, first) == first.upperBound else { return nil }
    array.read(decoding.text.bytes)
    return array.problem == nil && array.type != nil ? carriage : nil
  }

  /// Whether a text ends with a batch separator, which no single JSON text does.
  static func endsBatch(_ text: RawSpan) -> Bool {
    guard text.byteCount > 0 else { return false }
    let last = text.byte(at: text.byteCount - 1)
    return last == 0x1E || last == 0x18
  }
}
