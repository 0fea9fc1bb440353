// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The bytes that a text stands for. It holds what comes until the block ends or
/// `Limits.undecidedBytes` are there, and then looks what it is: a packet, a stream, a file inside
/// the text, or a message.
struct Decoded {
  private struct Piece {
    /// Nil for a hole.
    var range: ByteRange?
    /// How long a hole is; nil if that is not known.
    var missing: Int?
    /// Of the second of two sides.
    var isSecond: Bool
  }

  private enum Content { case undecided, stream, file, message, nothing }

  /// How many bytes of a stream are handed on at once.
  private static let step = 16 << 10

  /// What is said of a packet beside its bytes.
  var time = Instant.unknown
  var precision: UInt8 = 6
  /// How long the text says that the block is.
  var stated: Int?
  /// The form of the text says that it has packets, whatever is in them.
  var isPackets = false

  private let place: Place
  private let limits: Limits
  private var store = Scratch()
  private var pieces: ContiguousArray<Piece> = []
  private var content = Content.undecided
  private var file: (any Input)?
  /// Bytes that are held before it is looked again what they are; 0 for the usual number.
  private var holds = 0
  /// What the bytes are as a whole, where they are nothing that we read.
  private var description: String?
  private var hasSides = false
  private var lastIsSecond = false
  /// Bytes handed on, of each side.
  private var offsets: (first: UInt64, second: UInt64) = (0, 0)
  /// The link type of the packets so far.
  private var linkType: UInt16?
  private var refused: [UInt8] = []
  private var refusedCount = 0
  private(set) var packets: UInt64 = 0
  private var hasFile = false
  private var hasText = false
  /// Bytes of this block, holes of known length included.
  private(set) var count = 0

  init(_ place: Place, _ limits: Limits) { (self.place, self.limits) = (place, limits) }

  var isEthernet: Bool { linkType != nil && linkType != PacketShape.raw }

  mutating func append(_ octet: UInt8, isSecond: Bool = false, _ sink: any EvidenceSink) {
    turn(isSecond, sink)
    count += 1
    if pieces.last?.range == nil || pieces.last?.isSecond != isSecond {
      pieces.append(Piece(range: ByteRange(store.count, store.count), isSecond: isSecond))
    }
    store.append(octet)
    let start = pieces[pieces.count - 1].range!.start
    pieces[pieces.count - 1].range = ByteRange(start, store.count)
    if store.count >= (content == .undecided ? max(holds, limits.undecidedBytes) : Self.step) {
      flush(isAll: false, sink)
    }
  }

  mutating func gap(_ missing: Int?, isSecond: Bool = false, _ sink: any EvidenceSink) {
    turn(isSecond, sink)
    count += missing ?? 0
    pieces.append(Piece(missing: missing, isSecond: isSecond))
    if pieces.count > 4096 { flush(isAll: false, sink) }
  }

  /// Where a second side appears after the bytes were taken for those of one, it begins a new
  /// block.
  private mutating func turn(_ isSecond: Bool, _ sink: any EvidenceSink) {
    if isSecond == lastIsSecond { return }
    lastIsSecond = isSecond
    if count == 0 && offsets == (0, 0) { return }
    if content == .undecided {
      hasSides = true
    } else if !hasSides {
      end(sink)
      lastIsSecond = isSecond
    }
  }

  /// The packet, or the stream, ends here.
  mutating func end(_ sink: any EvidenceSink) {
    if count == 0 && pieces.isEmpty { return reset() }
    if let stated, stated != count {
      sink.finding(
        .dumpWrongLength, .warning, place.origin(0),
        "the text announces \(counted(stated, "byte")); it has \(count)")
    }
    flush(isAll: true, sink)
    switch content {
    case .undecided: break
    case .stream: sink.endStream(Delivery(place.origin(offsets.first), .stream))
    case .file: file?.finish(sink)
    case .message: break
    case .nothing: refuse(sink)
    }
    reset()
  }

  private mutating func reset() {
    (content, file, hasSides, lastIsSecond, offsets) = (.undecided, nil, false, false, (0, 0))
    (refused, refusedCount, count, stated, holds, description) = ([], 0, 0, nil, 0, nil)
    time = .unknown
  }

  /// "12 packets"; empty where only the sink knows what was in it.
  var summary: String {
    var parts: [String] = []
    if packets > 0 { parts.append(counted(packets, "packet")) }
    if hasFile { parts.append("a capture in it") }
    if hasText { parts.append("text") }
    return parts.joined(separator: ", ")
  }

  private mutating func flush(isAll: Bool, _ sink: any EvidenceSink) {
    if content == .undecided { decide(isAll: isAll, sink) }
    // The rest of it is to come.
    if content == .undecided && !pieces.isEmpty { return }
    let bytes = store
    store = Scratch()
    for piece in pieces { pass(piece, bytes.bytes, sink) }
    pieces.removeAll(keepingCapacity: true)
  }

  private mutating func decide(isAll: Bool, _ sink: any EvidenceSink) {
    // What has two sides was followed: it is looked at as a connection is.
    if hasSides { return content = .stream }
    let shape = shape(isAll: isAll)
    switch shape {
    case .packet where isAll: packet(sink)
    case .serialized where mayBeMessage:
      if isAll { message(sink) } else { holds = 2 * store.count }
    case .file, .text:
      var inside = place.inside(isDecoded: true)
      inside.choice = InputChoice()
      let first = pieces.first?.range.map { store.bytes[$0].copied() } ?? []
      guard let input = place.registry?.file(first.span.bytes, inside, limits) else { fallthrough }
      (file, content) = (input, .file)
      if shape == .file { hasFile = true } else { hasText = true }
    case .http, .frames, .frameHeader, .packet, .controlPackets, .serialized, .unknown:
      let streams: [OctetShape] = [.http, .controlPackets, .frames, .frameHeader]
      // A header says less than a value that ends where the bytes do.
      let isValue =
        shape == .frameHeader && isOne(isAll) && SerializedValue(store.bytes, isAll: true) != nil
      if streams.contains(shape) && !isValue {
        content = .stream
      } else if isPackets && isAll {
        packet(sink)
      } else {
        content = .nothing
        description = isOne(isAll) ? SerializedValue.description(of: store.bytes) : nil
      }
    }
  }

  /// Whether what is held is all there is, of one side and without holes.
  private func isOne(_ isAll: Bool) -> Bool { isAll && !hasSides && pieces.count == 1 }

  /// Whether all that is held may be one message, or the beginning of one.
  private var mayBeMessage: Bool {
    !hasSides && !isPackets && pieces.count == 1 && store.count <= limits.messageBytes
  }

  /// What the bytes begin as.
  private func shape(isAll: Bool) -> OctetShape {
    guard let range = pieces.first?.range else { return .unknown }
    return OctetShape.recognise(store.bytes[range], isAll: isAll && pieces.count == 1)
  }

  /// All that is held is one packet, cut where something of it is missing.
  private mutating func packet(_ sink: any EvidenceSink) {
    let whole = pieces.first?.range ?? ByteRange()
    let shape = PacketShape.recognise(store.bytes[whole])
    linkType = shape?.linkType ?? linkType ?? PacketShape.ethernet
    packets += 1
    let packet = Packet(
      time: time, number: packets,
      originalLength: UInt32(clamping: max(count, stated ?? 0, shape?.length ?? 0)),
      linkType: linkType!, input: place.input, precision: precision)
    sink.packet(store.bytes[whole], packet)
    store.removeAll()
    pieces.removeAll(keepingCapacity: true)
  }

  /// All that is held is one message.
  private mutating func message(_ sink: any EvidenceSink) {
    content = .message
    sink.message(store.bytes, Delivery(place.origin(0), .binary))
    store.removeAll()
    pieces.removeAll(keepingCapacity: true)
  }

  private mutating func pass(_ piece: Piece, _ bytes: RawSpan, _ sink: any EvidenceSink) {
    switch content {
    case .undecided, .message: return
    case .stream:
      var delivery = Delivery(
        place.origin(piece.isSecond ? offsets.second : offsets.first), .stream)
      if hasSides { delivery.origin.direction = piece.isSecond ? .toClient : .toServer }
      let amount = piece.range?.count ?? piece.missing ?? 0
      if piece.isSecond {
        offsets.second += UInt64(amount)
      } else {
        offsets.first += UInt64(amount)
      }
      guard let range = piece.range else { return sink.gap(piece.missing, delivery) }
      sink.stream(bytes[range], delivery)
    case .file:
      // Nothing in a file can be read across a hole.
      guard let range = piece.range else {
        file?.finish(sink)
        (file, content) = (nil, .nothing)
        return
      }
      file?.receive(bytes[range], sink)
    case .nothing:
      guard let range = piece.range else { return }
      refusedCount += range.count
      if refused.count < 8 { refused += bytes[range].copied().prefix(8 - refused.count) }
    }
  }

  private func refuse(_ sink: any EvidenceSink) {
    if refusedCount == 0 { return }
    let digits = Array("0123456789abcdef")
    let first = refused.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
    let dots = refusedCount > refused.count ? " …" : ""
    let what =
      description
      ?? "no WebSocket frame, no HTTP, no packet and no text of a message begins there, and they"
      + " are no message in MessagePack, CBOR, UBJSON or BJData"
    sink.refuse(
      "\(counted(refusedCount, "byte")), \(first.joined(separator: " "))\(dots): \(what)",
      place.origin(0))
  }
}
