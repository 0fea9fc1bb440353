// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Puts what an export has in the order of its times: exports list one conversation behind the
/// other, even if they went on at once. It holds all of it, up to `Limits.exportBytes`; then it
/// passes on what it holds, and sorts what follows by itself.
struct ExportQueue {
  private enum What: UInt8 {
    case opened, message, gap, finding, closed
  }

  /// What a proxy has done to a message.
  enum Remark: UInt8 {
    case dropped, injected
  }

  /// Where something of a conversation stands, when it was, and who sent it.
  struct Source {
    /// The conversation.
    var flow: UInt32
    var direction: Direction
    var time: ExportTime?
    /// The latest time that it can have had, where the export does not say when it was.
    var latest: ExportTime?
    var record: UInt64 = 0
    var offset: UInt64
  }

  private struct Entry {
    /// The time by which it is sorted: never before what came earlier in its conversation.
    var key = Int64.min
    private(set) var time: Instant
    let record: UInt64
    let offset: UInt64
    /// For a message, its block and where it begins there; for all else, its index in the list of
    /// its kind.
    var block: Int32 = 0
    let start: Int
    var count = 0
    let flow: UInt32
    let what: What
    /// Of the frame that carried a message; nil for bytes of a stream.
    var opcode: Opcode?
    var remark: Remark?
    let direction: Direction
    /// Decimal digits of its time.
    let digits: UInt8

    init(_ what: What, _ source: Source, start: Int) {
      (self.what, self.start, flow, direction) = (what, start, source.flow, source.direction)
      (time, digits) = (source.time?.instant ?? .unknown, source.time?.digits ?? 0)
      (record, offset) = (source.record, source.offset)
      key = (source.time ?? source.latest)?.instant.nanoseconds ?? .min
    }

    mutating func shift(by nanoseconds: Int64) {
      if time.isKnown { time.nanoseconds &+= nanoseconds }
      if key != .min { key &+= nanoseconds }
    }
  }

  private struct Conversation {
    /// The time by which its first message is sorted.
    var first: Int64?
    var latest = Int64.min
    /// The most digits that a time of its messages has.
    var digits: UInt8 = 0
  }

  /// Bytes of a block; a larger message has one of its own.
  private static let blockBytes = 1 << 20
  /// From so many entries on, room is reserved for all that may be held.
  private static let fewEntries = 1 << 14

  private let place: Place
  private let limits: Limits
  private var entries: ContiguousArray<Entry> = []
  /// The bytes of messages, in blocks: a single buffer would be there twice each time it grows.
  private var blocks: [Scratch] = []
  /// Bytes in them.
  private var messageBytes = 0
  /// Bytes of openings, closings and findings.
  private var otherBytes = 0
  private var openings: [Opening] = []
  private var closings: [Closing] = []
  private var findings: [Finding] = []
  /// By number, from 1.
  private var conversations: ContiguousArray<Conversation> = [Conversation()]
  /// The latest time that was reported, once not everything could be held.
  private var reported = Int64.min
  private var hasReportedOrder = false

  init(_ place: Place, _ limits: Limits) { (self.place, self.limits) = (place, limits) }

  var isFull: Bool {
    messageBytes + otherBytes + entries.count * MemoryLayout<Entry>.stride > limits.exportBytes
  }

  /// A conversation begins; answers its number.
  mutating func begin() -> UInt32 {
    conversations.append(Conversation())
    return UInt32(conversations.count - 1)
  }

  /// Says what a conversation is; before or behind its messages.
  mutating func open(_ flow: UInt32, _ opening: Opening, _ time: ExportTime?, at offset: UInt64) {
    openings.append(opening)
    otherBytes += opening.request.count + opening.response.count + opening.url.count
    otherBytes += opening.offered.reduce(opening.subprotocol.count) { $0 + $1.count }
    otherBytes += MemoryLayout<Opening>.stride
    // It is sorted before all that the conversation has.
    let first = conversations[Int(flow)].first
    let own = time?.instant.nanoseconds ?? .min
    let key = min(own == .min ? first ?? .min : own, first ?? .max)
    let source = Source(flow: flow, direction: .toServer, time: time, offset: offset)
    var entry = Entry(.opened, source, start: openings.count - 1)
    entry.key = key
    entries.append(entry)
    conversations[Int(flow)].latest = max(conversations[Int(flow)].latest, key)
  }

  /// - Parameter opcode: nil for bytes of a stream.
  mutating func message(
    _ opcode: Opcode?, _ bytes: RawSpan, _ source: Source, remark: Remark? = nil
  ) {
    if blocks.isEmpty || blocks[blocks.count - 1].count + bytes.byteCount > Self.blockBytes {
      blocks.append(Scratch())
    }
    var entry = Entry(.message, source, start: blocks[blocks.count - 1].count)
    (entry.opcode, entry.remark) = (opcode, remark)
    (entry.block, entry.count) = (Int32(blocks.count - 1), bytes.byteCount)
    blocks[blocks.count - 1].append(bytes)
    messageBytes += bytes.byteCount
    append(entry)
  }

  /// The bytes that follow in a stream are missing, nobody knows how many.
  mutating func gap(_ source: Source) { append(Entry(.gap, source, start: 0)) }

  /// What is wrong with a message, or with its conversation. A message that cannot be read is
  /// missing from its conversation.
  mutating func finding(_ flow: UInt32, _ finding: Finding, _ direction: Direction, _ digits: UInt8)
  {
    findings.append(finding)
    otherBytes += finding.text.utf8.count + finding.remainder.utf8.count
    otherBytes += MemoryLayout<Finding>.stride
    let time = finding.origin.time
    let source = Source(
      flow: flow, direction: direction,
      time: time.isKnown ? ExportTime(instant: time, digits: digits) : nil,
      record: finding.origin.record, offset: finding.origin.offset)
    append(Entry(.finding, source, start: findings.count - 1))
  }

  mutating func close(_ flow: UInt32, _ closing: Closing, _ time: ExportTime?, at offset: UInt64) {
    closings.append(closing)
    otherBytes += closing.reason.count + MemoryLayout<Closing>.stride
    let source = Source(flow: flow, direction: closing.by, time: time, offset: offset)
    append(Entry(.closed, source, start: closings.count - 1))
  }

  /// Moves all that is held in time: what its times count from has become known.
  mutating func shift(by nanoseconds: Int64) {
    for index in entries.indices { entries[index].shift(by: nanoseconds) }
    for index in conversations.indices {
      if let first = conversations[index].first, first != .min {
        conversations[index].first = first &+ nanoseconds
      }
      if conversations[index].latest != .min { conversations[index].latest &+= nanoseconds }
    }
  }

  private mutating func append(_ one: Entry) {
    var entry = one
    var conversation = conversations[Int(entry.flow)]
    conversation.latest = max(conversation.latest, entry.key)
    conversation.digits = max(conversation.digits, entry.digits)
    if conversation.first == nil { conversation.first = conversation.latest }
    conversations[Int(entry.flow)] = conversation
    entry.key = conversation.latest
    // A list is there twice each time it grows.
    if entries.count == Self.fewEntries {
      entries.reserveCapacity(limits.exportBytes / MemoryLayout<Entry>.stride + 1)
    }
    entries.append(entry)
  }

  /// Passes on all that is held.
  mutating func release(_ sink: any EvidenceSink) {
    // An opening comes before what has the same time, and all else in the order of the export.
    var order = ContiguousArray(0..<UInt32(entries.count))
    order.sort { left, right in
      let (one, other) = (entries[Int(left)], entries[Int(right)])
      if one.key != other.key { return one.key < other.key }
      if (one.what == .opened) != (other.what == .opened) { return one.what == .opened }
      return left < right
    }
    if let first = order.first.map({ entries[Int($0)] }), first.key < reported {
      reportOrder(first, sink)
    }
    for index in order { report(entries[Int(index)], sink) }
    if let last = order.last { reported = max(reported, entries[Int(last)].key) }
    entries.removeAll(keepingCapacity: true)
    blocks.removeAll()
    (messageBytes, otherBytes) = (0, 0)
    openings.removeAll()
    closings.removeAll()
    findings.removeAll()
  }

  private func report(_ entry: Entry, _ sink: any EvidenceSink) {
    var origin = place.origin(entry.offset, record: entry.record, entry.time)
    (origin.flow, origin.direction) = (entry.flow, entry.direction)
    origin.precision = conversations[Int(entry.flow)].digits
    switch entry.what {
    case .opened:
      origin.precision = entry.digits
      sink.opened(openings[entry.start], Delivery(origin))
    case .closed: sink.closed(closings[entry.start], Delivery(origin))
    case .gap: sink.gap(nil, Delivery(origin))
    case .finding:
      var finding = findings[entry.start]
      finding.origin = origin
      sink.finding(finding)
      if finding.lostMessages > 0 { sink.gap(nil, Delivery(origin)) }
    case .message:
      let block = blocks[Int(entry.block)]
      let bytes = block.bytes.extracting(entry.start..<entry.start + entry.count)
      switch entry.opcode {
      case nil: sink.stream(bytes, Delivery(origin))
      case .text: sink.message(bytes, Delivery(origin, .text))
      case .binary: sink.message(bytes, Delivery(origin, .binary))
      case let opcode?: sink.control(opcode, bytes, Delivery(origin, .binary))
      }
      if let remark = entry.remark { report(remark, origin, sink) }
    }
  }

  private func report(_ remark: Remark, _ origin: Origin, _ sink: any EvidenceSink) {
    let (code, text) =
      switch remark {
      case .dropped:
        (Finding.Code.flowDropped, "the proxy has not passed this message on")
      case .injected:
        (Finding.Code.flowInjected, "this message was sent by the user of the proxy")
      }
    sink.finding(code, .warning, origin, text, isAboutLastMessage: true)
  }

  private mutating func reportOrder(_ entry: Entry, _ sink: any EvidenceSink) {
    if hasReportedOrder { return }
    hasReportedOrder = true
    sink.finding(
      .exportOrder, .warning, place.origin(entry.offset, record: entry.record, entry.time),
      "the export has more than \(limits.exportBytes) bytes of messages: from here on, what was"
        + " said at the same time in several conversations is shown one after the other")
  }
}

extension Finding.Code {
  static let exportOrder: Finding.Code = "export.order"
  static let flowDropped: Finding.Code = "flow.message-dropped"
  static let flowInjected: Finding.Code = "flow.message-injected"
}
