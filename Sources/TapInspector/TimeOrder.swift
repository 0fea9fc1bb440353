// SPDX-License-Identifier: Apache-2.0
import HeapModule
import TapBytes
import TapTraffic

/// Sorts what layers report by time. Some of it comes late: the messages of a connection that is
/// recognised by its third frame, or that waited for a missing segment. While bytes wait that were
/// captured earlier (`Listener.waiting`), everything that is reported is held here, up to
/// `Limits.heldEvents` and `Limits.heldBytes`. Otherwise it passes through.
///
/// What is reported of one connection keeps its order, whatever the clock says, except for what is
/// late. A conversation whose bytes come by other flows than its own, a session over HTTP or a
/// stream of HTTP/2, has no wait of its own: what is reported of it with an earlier time is late.
final class TimeOrder: Listener {
  /// An event other than a message, with its bytes.
  private struct Held {
    var event: ListenerEvent
    var bytes: [UInt8]

    var cost: Int { event.cost + bytes.count }
  }

  /// Its position among everything that is held.
  private struct Turn: Comparable, BitwiseCopyable {
    var key: Int64
    /// A serial number, for the order at equal times.
    var number: UInt64
    /// Where it is kept: in `messages` or in `events`.
    var slot: Int
    var isMessage: Bool

    @inline(__always) static func < (left: Turn, right: Turn) -> Bool {
      left.key == right.key ? left.number < right.number : left.key < right.key
    }
  }

  /// A connection that has bytes waiting.
  private struct Wait {
    /// The number of layers and directions with bytes waiting.
    var count = 1
    /// By direction, the position of the last late thing that was reported; at first, the time of
    /// capture of the waiting bytes.
    private var latest: SIMD4<Int64>
    var number: UInt64

    init(since time: Int64, number: UInt64) {
      (latest, self.number) = (SIMD4(repeating: time), number)
    }

    subscript(direction: Direction) -> Int64 {
      get { latest[Int(direction.rawValue & 3)] }
      set { latest[Int(direction.rawValue & 3)] = newValue }
    }
  }

  /// The time since which a connection waits.
  private struct Since: Comparable {
    var time: Int64
    var number: UInt64
    var flow: UInt32

    static func < (left: Since, right: Since) -> Bool {
      left.time == right.time ? left.number < right.number : left.time < right.time
    }
  }

  private let inspector: Inspector
  private let limits: Limits
  /// By flow. It is read for each message, so exclusivity is not checked; no call made while it is
  /// changed comes back here.
  @exclusivity(unchecked) private var waits: [UInt32: Wait] = [:]
  /// The waits sorted by time. Those that are over are removed when they reach the front.
  private var earliest = Heap<Since>()
  /// What is held: from `head` on, what came in order; in `outOfOrder`, the rest.
  private var inOrder: ContiguousArray<Turn> = []
  private var head = 0
  private var outOfOrder = Heap<Turn>()
  private var messages = HeldMessages()
  private var events: ContiguousArray<Held?> = []
  private var free: ContiguousArray<Int> = []
  /// Approximate memory use of `events`.
  private var eventBytes = 0
  private var number: UInt64 = 0
  /// The latest time reported so far.
  private var newest = Int64.min
  /// By flow, the position of what was reported last, since waiting began.
  private var latest = LatestPlaces()
  /// By flow, the position of the connection's opening: nothing of it may come before that.
  private var beginnings = LatestPlaces()
  /// The flows of conversations that are carried by other flows.
  private var carried: Set<UInt32> = []
  /// By such a flow and direction, the position of the last late thing that was reported.
  private var lateOfCarried = LatestPlaces()
  /// The position of the last thing that was passed on early for lack of room.
  private var overtaken = Int64.min
  private var hasReportedOvertaking = false

  init(_ inspector: Inspector, _ limits: Limits) {
    (self.inspector, self.limits) = (inspector, limits)
  }

  @inline(__always) private var isHolding: Bool { !waits.isEmpty }

  func waiting(from origin: Origin) {
    guard origin.time.isKnown else { return }
    let (flow, time) = (origin.flow, origin.time.nanoseconds)
    guard waits[flow] == nil else { return waits[flow]!.count += 1 }
    number += 1
    waits[flow] = Wait(since: time, number: number)
    earliest.insert(Since(time: time, number: number, flow: flow))
    if earliest.count > 2 * waits.count + 64 {
      earliest = Heap(earliest.unordered.filter { waits[$0.flow]?.number == $0.number })
    }
  }

  func caughtUp(_ origin: Origin) {
    guard let wait = waits[origin.flow] else { return }
    if wait.count > 1 { return waits[origin.flow]!.count -= 1 }
    waits[origin.flow] = nil
    release()
  }

  func follows(_ origin: Origin) {
    guard let wait = waits[origin.flow] else { return }
    let direction = origin.direction
    waits[origin.flow]![direction] = max(wait[direction], origin.time.nanoseconds)
  }

  func opened(_ opening: Opening, _ delivery: Delivery) {
    if opening.carrier == .http || opening.isMultiplexed { carried.insert(delivery.origin.flow) }
    guard isHolding else { return inspector.opened(opening, delivery) }
    hold(.opened(opening, delivery), delivery.origin)
  }

  func refused(_ attempt: Opening, _ delivery: Delivery) {
    guard isHolding else { return inspector.refused(attempt, delivery) }
    hold(.refused(attempt, delivery), delivery.origin)
  }

  func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    guard isHolding else { return inspector.message(message, bytes, notes) }
    let slot = messages.keep(message, bytes, notes)
    let key = place(of: message.origin, isFinding: false)
    keep(key, slot, isMessage: true, message.origin)
  }

  func framed(_ framing: Framing) {
    if isHolding { messages.next.framing = framing } else { inspector.framed(framing) }
  }

  func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    if isHolding {
      messages.next.sent = (octets.copied(), trailing, serializer)
    } else {
      inspector.sent(octets, trailing: trailing, as: serializer)
    }
  }

  func subject(_ uri: RawSpan) {
    if isHolding { messages.next.subject = uri.copied() } else { inspector.subject(uri) }
  }

  func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    guard isHolding else { return inspector.lesson(lesson, bytes, in: message) }
    hold(.lesson(lesson, message), message.origin, bytes.copied())
  }

  func finding(_ finding: Finding) {
    guard isHolding else { return inspector.finding(finding) }
    hold(.finding(finding), finding.origin)
  }

  func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    guard isHolding else { return inspector.keepAlive(keepAlive, delivery) }
    hold(.keepAlive(keepAlive, delivery), delivery.origin)
  }

  func closed(_ closing: Closing, _ delivery: Delivery) {
    defer { if !carried.isEmpty { carried.remove(delivery.origin.flow) } }
    guard isHolding else { return inspector.closed(closing, delivery) }
    hold(.closed(closing, delivery), delivery.origin)
  }

  func account(_ fate: Fate, _ bytes: Int) { inspector.account(fate, bytes) }

  func count(_ thing: Counter, _ amount: Int) { inspector.count(thing, amount) }

  func context(_ words: RawSpan, _ line: ContextLine) {
    guard isHolding else { return inspector.context(words, line) }
    hold(.context(line), line.origin, words.copied())
  }

  /// Nothing waits any more: passes on everything.
  func finish() {
    waits.removeAll()
    release()
  }

  /// - Parameter bytes: the bytes that come with the call.
  private func hold(_ call: ListenerEvent.Call, _ origin: Origin, _ bytes: [UInt8] = []) {
    let slot = free.popLast() ?? events.count
    if slot == events.count { events.append(nil) }
    var isFinding = false
    if case .finding = call { isFinding = true }
    let key = place(of: origin, isFinding: isFinding)
    if case .opened = call { beginnings[origin.flow] = key }
    let held = Held(event: ListenerEvent(call, bytes.count), bytes: bytes)
    events[slot] = held
    eventBytes += held.cost
    keep(key, slot, isMessage: false, origin)
  }

  private func keep(_ key: Int64, _ slot: Int, isMessage: Bool, _ origin: Origin) {
    number += 1
    let place = Turn(key: key, number: number, slot: slot, isMessage: isMessage)
    if inOrder.last.map({ $0.key <= key }) ?? true {
      inOrder.append(place)
    } else {
      outOfOrder.insert(place)
    }
    if key < overtaken { reportOvertaking(origin) }
    release()
    while held > limits.heldEvents || messages.cost + eventBytes > limits.heldBytes, let first {
      overtaken = first.key
      passOn(first)
    }
  }

  private var held: Int { inOrder.count - head + outOfOrder.count }

  /// The earliest that is held.
  private var first: Turn? {
    guard head < inOrder.count else { return outOfOrder.min }
    let next = inOrder[head]
    guard let other = outOfOrder.min, other < next else { return next }
    return other
  }

  /// The position of something reported: its time, but never before what was reported of the same
  /// connection. If it is late, never before what was late in its direction. Findings do not delay
  /// anything.
  private func place(of origin: Origin, isFinding: Bool) -> Int64 {
    let time = max(
      origin.time.isKnown ? origin.time.nanoseconds : newest, beginnings[origin.flow])
    if time < newest, let wait = waits[origin.flow] {
      let key = max(time, wait[origin.direction])
      if !isFinding { waits[origin.flow]![origin.direction] = key }
      return key
    }
    if time < newest, carried.contains(origin.flow) {
      let index = origin.flow << 2 | UInt32(origin.direction.rawValue & 3)
      let key = max(time, lateOfCarried[index])
      if !isFinding { lateOfCarried[index] = key }
      return key
    }
    newest = max(time, newest)
    let key = max(time, latest[origin.flow])
    if !isFinding { latest[origin.flow] = key }
    return key
  }

  /// Passes on everything that nothing late can precede.
  private func release() {
    while let first = earliest.min, waits[first.flow]?.number != first.number {
      earliest.removeMin()
    }
    let until = earliest.min?.time ?? .max
    while let first, first.key <= until { passOn(first) }
    if !waits.isEmpty { return }
    latest.removeAll()
    lateOfCarried.removeAll()
    beginnings.removeAll()
  }

  /// - Parameter first: the earliest that is held.
  private func passOn(_ first: Turn) {
    if head < inOrder.count && inOrder[head].number == first.number {
      head += 1
      if head == inOrder.count {
        inOrder.removeAll(keepingCapacity: head < 1 << 12)
        head = 0
      } else if head > 1 << 12 && head > inOrder.count / 2 {
        inOrder.removeSubrange(..<head)
        head = 0
      }
    } else {
      outOfOrder.removeMin()
    }
    if first.isMessage { return messages.report(first.slot, inspector) }
    guard let held = events[first.slot] else { return }
    events[first.slot] = nil
    free.append(first.slot)
    eventBytes -= held.cost
    held.event.report(inspector, held.bytes.span.bytes)
  }

  private func reportOvertaking(_ origin: Origin) {
    if hasReportedOvertaking { return }
    hasReportedOvertaking = true
    hold(
      .finding(
        Finding(
          .overtaken, .note, origin,
          "more was captured while this waited to be recognised than is held: from here on, "
            + "times may run backwards")),
      origin)
  }
}
