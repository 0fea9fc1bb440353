// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of one direction of a WebSocket connection.
struct Half {
  /// A message that is being put together from frames.
  struct Assembly {
    var opcode: Opcode
    var isCompressed: Bool
    /// RSV1 is set, and nothing that is known here says what it means.
    var isUnagreed = false
    /// Bytes captured of it, framing included, and without.
    var wireLength = 0
    var payloadLength = 0
    /// How it ends, where it is compressed.
    var end = CompressedEnd.regular
    /// The packet in which it began.
    var firstRecord: UInt64 = 0
    /// Frames so far, and how the last of them is masked.
    var frames = 0
    var isMasked = false
    var key: UInt32 = 0
    /// Bytes of it that were never captured.
    var missing = 0
    /// Bytes that were inflated behind the limit, for what later messages refer to.
    var inVain = 0
    /// Why its text will not be told, once that is certain.
    var trouble = Trouble.none
  }

  enum Trouble {
    case none, incomplete, tooLarge, contextLost, contextDamaged, contextBroken, corrupt
    /// All messages that are being put together leave none for this one.
    case noRoom
    /// Frames that make no message; a finding said so when they began.
    case unfounded
  }

  /// How the bytes of a compressed message end (RFC 7692 §7.2.1).
  enum CompressedEnd {
    case regular
    /// There are none.
    case empty
    /// Within a block.
    case cutOff
    /// With what has to be left out.
    case withTail
  }

  /// A frame whose payload has not come to its end.
  struct Pending {
    var header: FrameHeader
    /// Bytes of the payload that are behind us, captured or not.
    var passed: UInt64 = 0
    /// Bytes that were never captured.
    var missing = 0
    /// The packet in which it began.
    var firstRecord: UInt64 = 0
  }

  // What each frame asks for stands together, first: it is in few lines of the cache.

  /// When the last of it was captured.
  var lastTime = Instant.unknown
  /// For the estimate of how many messages a gap swallowed.
  var seen = FramingLoss.Seen()
  /// Whether frames are to be told with their messages.
  var tellsFrames = false
  /// Bytes of what was told and not yet accounted for: one call less for each message.
  var told = 0
  /// Whether this side must mask.
  var masks: Bool?
  var maskingKeys = MaskingKeys()
  var hasClosed = false
  /// A payload unmasked, before it is told or inflated.
  let plain: Cell<Scratch>
  /// A header that is not all there.
  var partial = Scratch()
  @Apart var pending: Pending?
  @Apart var assembly: Assembly?
  /// Set while the framing is not known.
  @Apart var search: FrameSearch?
  /// The packet in which `partial` began.
  var partialRecord: UInt64 = 0
  /// The text of `assembly` so far: unmasked and inflated.
  var text = Scratch()
  /// Its share of `Limits.assembledBytes`.
  var room: Reservation?
  /// The payload of a control frame that came in pieces.
  var control = Scratch()
  /// Of a control frame so many bytes are held; RFC 6455 §5.5 allows 125.
  static let mostControl = 4096
  /// What the contexts of permessage-deflate of all connections may take.
  var contexts: Allowance?
  /// Made when it is first asked for: most connections compress nothing.
  lazy var decompression = Cell(Decompression(contexts))
  var mayCompress = false
  /// An extension that is not known here was agreed on.
  var isExtended = false
  /// It compresses without an agreement that is known here.
  var hasInflated = false
  /// Bytes wait for it.
  var wait = WaitNotice()
  var reportedPadding = false
  var reportedCompression = false
  /// How many messages had been seen when frames were found after a gap; nil where one has begun
  /// since.
  var seenBeforeGap: Int?
  /// The first frames after a gap may continue a message that began in it.
  var mayContinue: Bool { seenBeforeGap == seen.messages }
  /// Its PINGs and PONGs.
  var keepAlive = KeepAlive()
  /// When it sent its CLOSE, and when it said that it is done; unknown while it has not.
  var closeTime = Instant.unknown
  var endTime = Instant.unknown
  /// When some of it was not captured.
  var gapTime = Instant.unknown
  /// The gaps since the framing was lost; nil when nothing was lost (the capture began here).
  @Apart var loss: FramingLoss?

  init(_ plain: Cell<Scratch>) { self.plain = plain }

  /// Takes room for the text; answers whether there was some.
  mutating func reserve() -> Bool { room?.reserve(text.count) ?? true }

  /// The text was told, or will not be.
  mutating func dropText() {
    text.removeAll()
    keepMemory()
  }

  /// Memory of a message that is kept for the next, of this side and of all sides together.
  static let keptBytes = 256 << 10

  func shrinkPlain() {
    plain.value.removeAll()
    plain.value.shrink(above: Self.keptBytes)
  }

  /// Keeps the memory of the text for the next message, unless all connections keep very much.
  mutating func keepMemory() {
    guard text.isEmpty, search == nil else { return }
    text.shrink(above: Self.keptBytes)
    if room?.keeps(text.capacity) != false { return }
    text.shrink(above: 0)
  }

  /// Nothing more comes.
  mutating func giveUpMemory() {
    text = Scratch()
    room?.giveBack()
  }

  /// Takes room for what is searched; answers whether there was some.
  mutating func reserveSearch() -> Bool {
    let cost = search?.held.cost ?? 0
    return room?.reserve(cost) ?? true
  }
}
