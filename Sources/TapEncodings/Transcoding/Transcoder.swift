// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Converts a serialized message to WAMP's JSON form, so that one parser reads them all. It builds
/// no tree, does not recurse, and allocates only to grow its buffers.
///
/// `peculiarities` lists what JSON cannot express.
public struct Transcoder: ~Copyable {
  /// The limit of kept peculiarities per message; all are counted.
  public static let maximumPeculiarities = 16

  var composer: Composer

  /// - Parameters:
  ///   - maximumDepth: the limit of nesting.
  ///   - maximumBytes: the limit for the text of one message.
  public init(maximumDepth: Int, maximumBytes: Int) {
    composer = Composer(maximumDepth: maximumDepth, maximumBytes: maximumBytes)
  }

  /// Why the last message could not be read; nil when it could.
  public var fault: TranscodingFault? { composer.fault }
  /// What the last message contained that JSON cannot express: the first few, in order.
  public var peculiarities: ContiguousArray<Peculiarity> { composer.peculiarities }
  /// How many of them there were.
  public var peculiarityCount: Int { composer.peculiarityCount }

  /// Appends the text of the value that begins at `start`, and returns the offset after it; the
  /// caller checks what follows. Nil, with `fault` set and nothing appended, when there is no
  /// complete value.
  public mutating func transcode(
    _ bytes: RawSpan, _ serializer: Serializer, from start: Int = 0, into text: inout TextBuffer
  ) -> Int? {
    composer.beginMessage()
    composer.beginValue(text)
    let before = text.count
    let end = compose(bytes, serializer, start, &text)
    if end == nil { text.truncate(before) } else { composer.endValue(before, text) }
    composer.pieces.removeAll()
    composer.pieces.shrink(above: 1 << 16)
    return end
  }

  @inline(__always)
  mutating func compose(
    _ bytes: RawSpan, _ serializer: Serializer, _ start: Int, _ text: inout TextBuffer
  ) -> Int? {
    switch serializer {
    case .messagePack: MessagePack.transcode(bytes, start, &composer, &text)
    case .cbor: CBOR.transcode(bytes, start, &composer, &text)
    case .ubjson: UBJSON(isLittleEndian: false).transcode(bytes, start, &composer, &text)
    case .bjdata: UBJSON(isLittleEndian: true).transcode(bytes, start, &composer, &text)
    }
  }

  /// Whether a message called UBJSON is UBJSON or BJData, which differ in the byte order of
  /// numbers: the one in which it parses completely, or if both do, the one in which an encoder
  /// would have chosen these integer types. Nil when both fit equally well or badly.
  ///
  /// - Parameter text: used as working memory; restored afterwards.
  public mutating func dialect(ofUBJSON bytes: RawSpan, _ text: inout TextBuffer) -> Serializer? {
    let before = text.count
    defer { text.truncate(before) }
    let isUBJSON = transcode(bytes, .ubjson, into: &text) == bytes.byteCount
    let (middle, misfits) = (text.count, composer.misfits)
    let isBJData = transcode(bytes, .bjdata, into: &text) == bytes.byteCount
    if isUBJSON != isBJData { return isUBJSON ? .ubjson : .bjdata }
    guard isUBJSON else { return nil }
    let (first, second) = (
      text.bytes.extracting(before..<middle), text.bytes.extracting(middle..<text.count)
    )
    if first.equals(second) || misfits == composer.misfits { return nil }
    return misfits < composer.misfits ? .ubjson : .bjdata
  }
}
