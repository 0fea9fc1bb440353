// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The state of one direction of a WebSocket connection.
struct Half {
  /// A message that is being assembled from its frames.
  struct Assembly {
    var opcode: Opcode
    var isCompressed: Bool
    /// RSV1 is set, but no known extension was negotiated that defines it.
    var isUnagreed = false
    /// Captured bytes of it on the wire, and those of its payload.
    var wireLength = 0
    var payloadLength = 0
    /// How its compressed data ends.
    var end = CompressedEnd.regular
    /// The packet in which it began.
    var firstRecord: UInt64 = 0
    /// Frames so far, and the masking of the last one.
    var frames = 0
    var isMasked = false
    var key: UInt32 = 0
    /// Bytes of it that were never captured.
    var missing = 0
    /// Bytes that were inflated beyond the limit, only to keep the context for later messages.
    var inVain = 0
    /// Why it cannot be shown, once that is certain.
    var trouble = Trouble.none
  }

  enum Trouble {
    case none, incomplete, tooLarge, contextLost, contextDamaged, contextBroken, corrupt
    /// The messages of all connections that are being assembled leave no room for it.
    case noRoom
    /// Frames that form no message; this was reported when they began.
    case unfounded
  }

  /// How the bytes of a compressed message end (RFC 7692 §7.2.1).
  enum CompressedEnd {
    case regular
    /// There is no data.
    case empty
    /// Within a deflate block.
    case cutOff
    /// With the four bytes that must be removed.
    case withTail
  }

  /// A frame whose payload is incomplete.
  struct Pending {
    var header: FrameHeader
    /// Bytes of the payload up to the current position, captured or not.
    var passed: UInt64 = 0
    /// Bytes that were never captured.
    var missing = 0
    /// The packet in which it began.
    var firstRecord: UInt64 = 0

    /// More of its message has to come.
    var isAwaited: Bool { !header.isControl && !(header.isFinal && passed == header.length) }
  }

  // What each frame needs comes first, so that it fits in few cache lines.

  /// Capture time of its last bytes.
  var lastTime = Instant.unknown
  /// For the estimate of how many messages a gap swallowed.
  var seen = FramingLoss.Seen()
  /// Whether the framing of each message is wanted.
  var reportsFrames = false
  /// Bytes of messages reported, but not yet accounted for: one call for all saves one per message.
  var reported = 0
  /// Whether this side must mask.
  var masks: Bool?
  var maskingKeys = MaskingKeys()
  var hasClosed = false
  /// Behind its CLOSE came something else than frames.
  var isOver = false
  /// Buffer for an unmasked payload.
  let plain: Cell<Scratch>
  /// An incomplete frame header.
  var partial = Scratch()
  @Apart var pending: Pending?
  @Apart var assembly: Assembly?
  /// Set while frame boundaries are not known.
  @Apart var search: FrameSearch?
  /// The packet in which `partial` began.
  var partialRecord: UInt64 = 0
  /// The text of `assembly` so far: unmasked and inflated.
  var text = Scratch()
  /// What it has reserved of `Limits.assembledBytes`.
  var room: Reservation?
  /// The payload of a control frame that came in several pieces.
  var control = Scratch()
  /// Bytes of a control frame that are kept at most; RFC 6455 §5.5 allows 125.
  static let mostControl = 4096
  /// Memory that the permessage-deflate contexts of all connections may take.
  var contexts: Allowance?
  /// Made on first use: most connections are not compressed.
  lazy var decompression = Cell(Decompression(contexts))
  var mayCompress = false
  /// An unknown extension was negotiated.
  var isExtended = false
  /// It compresses although no known extension was negotiated.
  var hasInflated = false
  /// Tells the listener that bytes wait during a search.
  var wait = WaitNotice()
  var reportedPadding = false
  var reportedCompression = false
  /// How many messages had been seen when frames were found after a gap; nil once a new message has
  /// begun since.
  var seenBeforeGap: Int?
  /// The first frames after a gap may continue a message that began in it.
  var mayContinue: Bool { seenBeforeGap == seen.messages }
  /// The PINGs and PONGs of this side.
  var keepAlive = PingRecord()
  /// When this side sent its CLOSE, and when it ended its stream; unknown while it has not.
  var closeTime = Instant.unknown
  var endTime = Instant.unknown
  /// Time of the last gap.
  var gapTime = Instant.unknown
  /// The gaps since frame boundaries were lost; nil for none, as when the capture began here.
  @Apart var loss: FramingLoss?

  init(_ plain: Cell<Scratch>) { self.plain = plain }

  /// Whether a header behind this side's CLOSE is of no frame, as when a server goes on in HTTP.
  func isNoFrame(_ header: FrameHeader) -> Bool {
    let isData = mayCompress && !header.isControl
    return !isExtended && header.reserved & (isData ? 0x30 : 0x70) != 0 || !header.isKnown
      || masks != nil && header.isMasked != masks
  }

  /// Reserves room for the text; false if there is none.
  mutating func reserve() -> Bool { room?.reserve(text.count) ?? true }

  /// The text was reported, or cannot be shown.
  mutating func dropText() {
    text.removeAll()
    keepMemory()
  }

  /// Memory of a message that one side, or the shared buffer, keeps for the next.
  static let keptBytes = 256 << 10

  func shrinkPlain() {
    plain.value.removeAll()
    plain.value.shrink(above: Self.keptBytes)
  }

  /// Keeps the memory of the text for the next message, unless all connections keep too much.
  mutating func keepMemory() {
    guard text.isEmpty, search == nil else { return }
    text.shrink(above: Self.keptBytes)
    if room?.tryToKeep(text.capacity) != false { return }
    text.shrink(above: 0)
  }

  /// No more bytes come: frees the memory.
  mutating func giveUpMemory() {
    text = Scratch()
    room?.giveBack()
  }

  /// Reserves room for what is searched; false if there is none.
  mutating func reserveSearch() -> Bool {
    let cost = search?.held.cost ?? 0
    return room?.reserve(cost) ?? true
  }
}
