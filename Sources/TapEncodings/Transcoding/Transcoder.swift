// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Turns a serialized message into the JSON text that WAMP has for it, so that one parser reads
/// them all. No tree, no recursion, and once its lists have grown no allocation.
///
/// What the wire had beyond JSON is not lost in silence: it is in `peculiarities`.
public struct Transcoder: ~Copyable {
  /// How many peculiarities of a message are kept; all are counted.
  public static let maximumPeculiarities = 16

  var composer: Composer

  /// - Parameters:
  ///   - maximumDepth: how deep values may nest.
  ///   - maximumBytes: how large the text of one message may become.
  public init(maximumDepth: Int, maximumBytes: Int) {
    composer = Composer(maximumDepth: maximumDepth, maximumBytes: maximumBytes)
  }

  /// Why the last message could not be read; nil when it could.
  public var fault: TranscodingFault? { composer.fault }
  /// What the last message had that JSON cannot say: the first of them, in order.
  public var peculiarities: ContiguousArray<Peculiarity> { composer.peculiarities }
  /// How many of them there were.
  public var peculiarityCount: Int { composer.peculiarityCount }

  /// Appends the text of the one value that begins at `start`, and answers the offset behind it;
  /// what follows there is for the caller to judge. Nil, with `fault` set and nothing appended,
  /// when there is no whole value.
  ///
  /// - Parameter isPart: the value is a part of the message that the last one belonged to, so that
  ///   peculiarities add up.
  public mutating func transcode(
    _ bytes: RawSpan, _ serializer: Serializer, from start: Int = 0, isPart: Bool = false,
    into text: inout TextBuffer
  ) -> Int? {
    if !isPart { composer.beginMessage() }
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

  /// Which of the two dialects that go by the name of UBJSON a message is in, which is to say in
  /// which order the bytes of its numbers are: that in which it can be read as a whole, else that
  /// in which encoders would have chosen the types of the numbers that they chose. Nil when it
  /// reads the same in both, or badly in both.
  ///
  /// - Parameter text: room to work in; it comes out as it was.
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
