// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What has a meaning of a log of Chromium's network stack (`--log-net-log`, chrome://net-export),
/// taken with raw bytes: its constants, and what sockets sent and received, which becomes streams.
/// Nothing is held.
struct NetLogReader: JSONExport {
  static let name: StaticString = "netlog"
  static let title = "NetLog"
  static let marks: [(outer: StaticString, inner: StaticString)] = [
    ("constants", "logEventTypes"), ("constants", "timeTickOffset"),
    ("constants", "logFormatVersion"),
  ]
  /// A browser that is killed leaves the list of events open.
  static var usualDepth: Int? { 2 }

  enum Node: Equatable {
    case root, constants, tickOffset, eventTypes, eventType(NetLogEvent.Kind)
    case phases, beginPhase, endPhase
    case events, event, type, phase, time, source, sourceID
    case params, version, applicationProtocol
    case bytes, byteCount, localAddress, remoteAddress
    case other
  }

  static var root: Node { .root }
  static var other: Node { .other }

  private let place: Place
  private let limits: Limits
  private var kinds: [Int64: NetLogEvent.Kind] = [:]
  /// Milliseconds since 1970 when the ticks began.
  private var tickOffset: Int64?
  private var phases: (begin: Int64, end: Int64) = (1, 2)
  private var records: UInt64 = 0
  private var event = NetLogEvent()
  private var sockets = NetLogSockets()

  init(_ place: Place, _ limits: Limits) { (self.place, self.limits) = (place, limits) }

  static let members: [(holder: Node, name: StaticString, member: Node)] = [
    (.event, "params", .params), (.event, "type", .type), (.event, "phase", .phase),
    (.event, "time", .time), (.event, "source", .source), (.source, "id", .sourceID),
    (.params, "bytes", .bytes), (.params, "byte_count", .byteCount),
    (.params, "local_address", .localAddress), (.params, "remote_address", .remoteAddress),
    (.params, "source_address", .localAddress),
    (.params, "version", .version), (.params, "next_proto", .applicationProtocol),
    (.root, "constants", .constants), (.root, "events", .events),
    (.constants, "logEventTypes", .eventTypes), (.constants, "timeTickOffset", .tickOffset),
    (.constants, "logEventPhase", .phases), (.phases, "PHASE_BEGIN", .beginPhase),
    (.phases, "PHASE_END", .endPhase),
  ]

  static func member(_ key: RawSpan, of node: Node) -> Node {
    if node == .eventTypes {
      let kind = NetLogEvent.Kind.allCases.first { key.equals($0.name) }
      return kind.map { .eventType($0) } ?? .other
    }
    for (holder, name, member) in members where holder == node && key.equals(name) {
      return member
    }
    return .other
  }

  static func element(of node: Node) -> Node { node == .events ? .event : .other }

  func most(of node: Node) -> Int {
    node == .bytes ? limits.messageBytes : 256
  }

  mutating func begin(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink) {
    if node == .event {
      records += 1
      event = NetLogEvent(offset: offset, record: records)
    } else if node == .events && kinds.isEmpty {
      sink.finding(
        Finding(
          .exportDamaged, .warning, place.origin(offset),
          "the NetLog does not say before its events what their types are; they are not read. Put"
            + " its constants first: jq '{constants, events}' FILE"
        ).cutting)
    }
  }

  mutating func scalar(_ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _: any EvidenceSink) {
    switch node {
    case .eventType(let kind): if let number = value.integer(bytes) { kinds[number] = kind }
    case .tickOffset: tickOffset = Decimal(bytes)?.scaled(by: 0)
    case .beginPhase: phases.begin = value.integer(bytes) ?? phases.begin
    case .endPhase: phases.end = value.integer(bytes) ?? phases.end
    case .type: event.type = value.integer(bytes)
    case .phase: event.phase = value.integer(bytes) ?? 0
    case .time: event.ticks = Decimal(bytes)?.scaled(by: 0)
    case .sourceID: event.source = value.integer(bytes)
    case .byteCount: event.byteCount = value.integer(bytes)
    case .localAddress: event.localAddress = value.text(bytes) ?? []
    case .remoteAddress: event.remoteAddress = value.text(bytes) ?? []
    case .version: event.version = value.text(bytes) ?? []
    case .applicationProtocol: event.applicationProtocol = value.text(bytes) ?? []
    case .bytes where value.isString && value.isWhole(bytes): event.take(base64: bytes)
    default: break
    }
  }

  mutating func end(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink) {
    guard node == .event, let type = event.type, let kind = kinds[type],
      let source = event.source
    else { return }
    // Taken out for as long as it is lent.
    var event = NetLogEvent()
    swap(&event, &self.event)
    var time = Instant.unknown
    if let ticks = event.ticks {
      let (sum, isLarge) = (tickOffset ?? 0).addingReportingOverflow(ticks)
      let (scaled, isLarger) = sum.multipliedReportingOverflow(by: 1_000_000)
      if !isLarge && !isLarger { time = Instant(nanoseconds: scaled) }
    }
    var origin = place.origin(event.offset, record: event.record, time)
    origin.precision = 3
    let phase: NetLogEvent.Phase =
      event.phase == phases.begin ? .begin : event.phase == phases.end ? .end : .none
    sockets.take(kind, phase, source, event, origin, limits, sink)
  }

  func finish(_ sink: any EvidenceSink) { sockets.finish(sink) }
}
