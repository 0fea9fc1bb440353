// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Finds RawSocket frame boundaries after a gap, or when the capture began in the middle of a
/// stream.
///
/// Many protocols have length-prefixed messages, so an offset is accepted only for frames whose
/// payload has the form of a WAMP message and ends with its frame, or whose ends coincide with TCP
/// segments. The result depends only on the bytes and segments, not on how many were there at the
/// time of the call; an undecided offset is waited for.
public struct MessageSearch {
  public enum Answer {
    /// - Parameters:
    ///   - serializer: its number, as in a handshake.
    ///   - isFromClient: nil when the message does not show its sender.
    case found(at: Int, serializer: UInt8, isFromClient: Bool?)
    /// No frame before this offset; from there on, more bytes are needed.
    case undecided(from: Int)
  }

  /// The points of evidence needed to accept an offset.
  private static let enough = 5
  /// A longer frame must be recognisable by its first bytes; it is not waited for.
  private static let patientLength = 64 << 10
  /// How many bytes of a message are checked before the rest has come.
  private static let beginning = 64

  /// The bytes to search, if the caller does not hold them.
  private var held = ResyncBuffer()
  private var resumeAt = 0
  private let serializer: Serializer?

  /// For a stream about which nothing is known.
  public init() { serializer = nil }

  init(_ serializer: Serializer?) { self.serializer = serializer }

  /// The first searched bytes were removed.
  mutating func removed(_ count: Int) { resumeAt = max(0, resumeAt - count) }

  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    held.append(bytes, delivery)
  }

  public mutating func firstFrame(isEnd: Bool) -> Answer { firstFrame(in: held, isEnd: isEnd) }

  /// - Parameters:
  ///   - isEnd: no more bytes will come to decide an open offset.
  ///   - missing: how many bytes are missing after the held ones, if known.
  mutating func firstFrame(in held: ResyncBuffer, isEnd: Bool, missing: Int? = nil) -> Answer {
    var at = resumeAt
    while at < held.count {
      switch judge(held, at, missing) {
      case .believed(let form):
        return .found(
          at: at, serializer: form?.serializer.number ?? serializer?.number ?? 0,
          isFromClient: form?.isFromClient)
      case .rejected: at += 1
      case .open:
        if !isEnd {
          resumeAt = at
          return .undecided(from: at)
        }
        at += 1
      }
    }
    resumeAt = at
    return .undecided(from: at)
  }

  private enum Verdict {
    /// Accepted; with the form of the first message, if it has one.
    case believed(MessageForm?)
    case rejected, open
  }

  private func judge(_ held: ResyncBuffer, _ start: Int, _ missing: Int?) -> Verdict {
    var points = held.isBorder(start, .start) ? 2 : 0
    var at = start
    var first: MessageForm?
    var number = 0
    while at < held.count {
      // Fast rejection, as most bytes do not begin a frame: text has no zero bytes. A chain ends
      // after some frames without evidence.
      if held.bytes.bytes.byte(at: at) > FrameHeader.Kind.pong || number > 16 { return .rejected }
      guard held.count - at >= FrameHeader.size else { return .open }
      let header = FrameHeader(held.bytes.bytes, at: at)
      let payload = at + FrameHeader.size
      let end = payload + header.length
      let isWhole = end <= held.count
      if at == start && points == 0 && showsNothing(header) { return .rejected }
      if header.kind != FrameHeader.Kind.message {
        if header.length > Self.patientLength { return .rejected }
        if serializer != nil { points += 1 }
      } else {
        if header.length < 4 { return .rejected }
        let there = held.bytes.bytes.extracting(payload..<min(end, held.count))
        // A frame that ends exactly at the end of the gap was truncated by a snaplen.
        let fits = missing.map { end == held.count + $0 } ?? false
        if there.byteCount < min(header.length, Self.beginning) && !fits { return .open }
        let beginning = there.extracting(0..<min(there.byteCount, Self.beginning))
        let form = MessageForm(beginning, first?.serializer ?? serializer)
        if form == nil && serializer?.hasForm != false { return .rejected }
        if first == nil { first = form }
        if form?.serializer == .json {
          guard Self.isText(beginning, isWhole: header.length <= beginning.byteCount)
          else { return .rejected }
          // The rest may be invalid, but the message is long enough to be accepted.
          if header.length > Self.beginning && points + 3 >= Self.enough { return .believed(first) }
          if isWhole && !Self.isText(there, isWhole: true) { return .rejected }
        }
        if fits { points += 4 }
        if header.length > Self.patientLength { return .rejected }
        if isWhole { points += evidence(form) }
      }
      if isWhole && held.isBorder(end, .end) { points += 2 }
      if points >= Self.enough, first != nil || serializer != nil { return .believed(first) }
      if !isWhole { return .open }
      number += 1
      at = end
    }
    return .open
  }

  /// Whether this frame gives no evidence but the position of its end.
  private func showsNothing(_ header: FrameHeader) -> Bool {
    header.kind != FrameHeader.Kind.message || serializer?.hasForm == false
  }

  /// The points of a complete message. Of binary ones a few bytes are checked: pairs of what looks
  /// like them are found in files of other formats.
  private func evidence(_ form: MessageForm?) -> Int {
    guard let form else { return 1 }
    switch form.serializer {
    case .json: return serializer == nil ? 4 : 5
    case .flatBuffers: return 3
    default: return serializer == nil ? 2 : 3
    }
  }

  /// A JSON list in UTF-8 without control characters; a code point may be truncated at the end of a
  /// part.
  private static func isText(_ bytes: RawSpan, isWhole: Bool) -> Bool {
    if isWhole && bytes.byte(at: bytes.byteCount - 1) != 0x5D { return false }
    return UTF8.isValid(bytes, isWhole: isWhole) && bytes.firstControl() == nil
  }
}
