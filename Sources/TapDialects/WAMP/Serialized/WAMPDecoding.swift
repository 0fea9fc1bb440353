// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What a connection whose messages are no plain JSON needs beside the parser: how they are
/// carried, and the text that is made of one after the other.
struct WAMPDecoding: ~Copyable {
  /// Bytes of text that room is kept for from one message to the next.
  private static let usualRoom = 1 << 20

  /// Nil until the first message has told.
  private(set) var carriage: WAMPCarriage?
  /// How messages are carried was recognised by their look, and that is still to be told.
  var mustTellRecognition = false
  /// How messages are carried was recognised by their look.
  private var isRecognised = false
  /// The JSON text of the last message.
  private(set) var text = TextBuffer(capacity: 1 << 10)
  /// The last message reads differently in the two dialects of UBJSON, and none has told yet which
  /// one it is.
  private(set) var isAmbiguous = false
  /// Bytes follow the end of the last message, where another should begin or nothing.
  var isFollowed = false
  /// A separator of octal 30 is told once.
  var hasToldSeparator = false

  private let nesting: Int
  private var transcoder: Transcoder
  private var flatBuffer: WAMPFlatBuffer
  /// Whether "UBJSON" means UBJSON or BJData, once a message has shown it.
  private var dialect: Serializer?

  /// - Parameter carriage: as it was negotiated; nil when that is not known.
  init(_ carriage: WAMPCarriage?, limits: Limits) {
    self.carriage = carriage
    nesting = limits.nesting
    transcoder = Transcoder(
      maximumDepth: limits.nesting, maximumBytes: limits.messageBytes)
    flatBuffer = WAMPFlatBuffer(maximumBytes: limits.messageBytes)
  }

  /// Whether messages are told by a text that was not sent.
  var isTranscoded: Bool { carriage.map { !$0.isText } ?? false }

  /// What goes by the name of the serializer: BJData instead of UBJSON, once that is known; either
  /// of them where no handshake has named one and no message has told.
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

  /// How many bytes of the last message were not read, at its end but for what fills it up:
  /// only of FlatBuffers, whose messages do not say where they end.
  func unread(_ message: RawSpan) -> Int {
    guard carriage?.serializer == .flatBuffers else { return 0 }
    let rest = message.dropping(flatBuffer.extent)
    for at in 0..<rest.byteCount where rest.byte(at: at) != 0 { return rest.byteCount }
    return 0
  }

  /// What the last message had that JSON cannot say: the first of them.
  var peculiarities: ContiguousArray<Peculiarity> {
    carriage?.serializer == .flatBuffers
      ? ContiguousArray(flatBuffer.peculiarities) : transcoder.peculiarities
  }

  /// How many of them there were.
  var peculiarityCount: Int {
    carriage?.serializer == .flatBuffers
      ? flatBuffer.peculiarities.count : transcoder.peculiarityCount
  }

  /// Takes what a message looks like for how all of them are carried.
  mutating func recognised(_ carriage: WAMPCarriage, mustTell: Bool) {
    (self.carriage, mustTellRecognition, isRecognised) = (carriage, mustTell, true)
  }

  /// Makes `text` of one message, and answers where the message ends, which may be before the end
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
      // The markers m, u, M and h are those of BJData alone: it was that all the time.
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
      // The same in both, as long as no number has more than one byte.
      if text.bytes.equals(other.span.bytes) { return end }
      // What would be no WAMP in one of them was sent in the other.
      let fits = (ubjson: isWAMP(other.span.bytes), bjdata: isWAMP(text.bytes))
      if fits.ubjson != fits.bjdata { dialect = fits.ubjson ? .ubjson : .bjdata }
    }
    text.removeAll()
    dialect = dialect ?? transcoder.dialect(ofUBJSON: inside.dropping(start), &text)
    isAmbiguous = dialect == nil && isRead && end != nil
    // What is sent nowadays.
    return transcoder.transcode(inside, dialect ?? .bjdata, from: start, into: &text)
  }

  /// Makes `text` of the beginning of one message: what is there, closed. False where it is not
  /// certain how that is to be read.
  mutating func transcode(beginning bytes: RawSpan) -> Bool {
    text.removeAll()
    isAmbiguous = false
    // A batch may hold more of them than the one that begins it.
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

  /// Whether the beginning of one message holds something in any way in which it may be read: the
  /// two dialects of UBJSON have numbers of several bytes the other way round.
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

  /// Takes apart what was made of the last message.
  func read(_ array: inout WAMPArray) {
    if carriage?.serializer == .flatBuffers { return array.read(text.bytes) }
    array.read(text.bytes, madeBy: transcoder)
  }

  private func isWAMP(_ text: RawSpan) -> Bool {
    var array = WAMPArray(maximumDepth: nesting)
    array.read(text)
    return array.problem == nil
  }

  /// The text was told; what was unusually much room for it is given back.
  mutating func endMessage() {
    isFollowed = false
    text.removeAll()
    text.shrink(above: Self.usualRoom)
  }

  /// How a message is carried, by its look; nil when it cannot be read as WAMP in any way.
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

  /// Whether a text ends as a batch does, and no single JSON text can.
  static func endsBatch(_ text: RawSpan) -> Bool {
    guard text.byteCount > 0 else { return false }
    let last = text.byte(at: text.byteCount - 1)
    return last == 0x1E || last == 0x18
  }
}
