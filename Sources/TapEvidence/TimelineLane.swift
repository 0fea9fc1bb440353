// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The sink of one input of a timeline. What is due is passed on at once, without a copy; what
/// comes too early is copied and waits. The main loop does not read an input while something of it
/// waits, so no more than one chunk waits.
final class TimelineLane: EvidenceSink {
  private struct Entry {
    /// The latest time of this input when the entry was made; `Int64.min` when none was known.
    var time: Int64
    var told: EvidenceEvent
  }

  /// Findings before the first record that may wait for its time; further ones are told at once.
  private static let mostLeading = 256

  private let sink: any EvidenceSink
  private var entries: ContiguousArray<Entry> = []
  /// How many of `entries` were passed on.
  private var done = 0
  /// The bytes of the entries, one after the other.
  private var octets = Scratch()
  private var octetsDone = 0

  /// The latest time so far. The order within an input is kept: a record with an earlier time than
  /// one before it counts as having the later time.
  private(set) var latest = Int64.min
  /// The time of the first record; findings before it get this time.
  private var start = Int64.min
  /// A packet or message has come, so it is known when this input begins.
  private(set) var hasBegun = false
  var hasEnded = false

  /// Up to which time things are passed on; nil when it is another input's turn.
  var limit: Int64?

  init(onto sink: any EvidenceSink) { self.sink = sink }

  var isEmpty: Bool { done == entries.count }

  var wantsMore: Bool { sink.wantsMore }

  /// While entries wait here, silence of the input means nothing to the sink.
  func quiet(for silence: Int64, at now: Instant) -> Int64? {
    isEmpty ? sink.quiet(for: silence, at: now) : nil
  }

  var waitingBytes: Int { octets.count - octetsDone }

  /// The earliest time that the next event can have; `Int64.min` when the input has no times.
  var next: Int64 { isEmpty ? latest : max(entries[done].time, start) }

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    if follow(packet.time) { return sink.packet(bytes, packet) }
    keep(bytes, .packet(packet))
  }

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    if follow(delivery.origin.time) { return sink.message(bytes, delivery) }
    keep(bytes, .message(delivery))
  }

  func stream(_ bytes: RawSpan, _ delivery: Delivery) {
    if follow(delivery.origin.time) { return sink.stream(bytes, delivery) }
    keep(bytes, .stream(delivery))
  }

  func gap(_ missing: Int?, _ delivery: Delivery) {
    if follow(delivery.origin.time) { return sink.gap(missing, delivery) }
    keep(.gap(missing, delivery))
  }

  func endStream(_ delivery: Delivery) {
    if isDue { return sink.endStream(delivery) }
    keep(.endStream(delivery))
  }

  func opened(_ opening: Opening, _ delivery: Delivery) {
    if follow(delivery.origin.time) { return sink.opened(opening, delivery) }
    keep(.opened(opening, delivery))
  }

  func closed(_ closing: Closing, _ delivery: Delivery) {
    if follow(delivery.origin.time) { return sink.closed(closing, delivery) }
    keep(.closed(closing, delivery))
  }

  func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    if follow(delivery.origin.time) { return sink.control(opcode, payload, delivery) }
    keep(payload, .control(opcode, delivery))
  }

  /// Passed on at once: secrets have no time, and packets may be waiting for them.
  func secrets(_ keyLog: RawSpan, _ origin: Origin) { sink.secrets(keyLog, origin) }

  func context(_ words: RawSpan, _ line: ContextLine) {
    // A line without a time belongs to the record before it, or to the first that has a time.
    latest = max(latest, line.origin.time.nanoseconds)
    if !hasBegun && (line.origin.time.isKnown || entries.count >= Self.mostLeading) {
      (hasBegun, start) = (true, latest)
    }
    if isDue { return sink.context(words, line) }
    keep(words, .context(line))
  }

  func recognised(_ verdict: InputVerdict, _ origin: Origin) {
    if isDue { return sink.recognised(verdict, origin) }
    keep(.recognised(verdict, origin))
  }

  /// Order does not matter for counts.
  func count(_ thing: Counter, _ amount: Int) { sink.count(thing, amount) }

  func refuse(_ reason: String, _ origin: Origin) {
    if follow(origin.time) { return sink.refuse(reason, origin) }
    keep(.refuse(reason, origin))
  }

  func finding(_ finding: Finding) {
    let isDue = hasBegun ? isDue : entries.count >= Self.mostLeading
    if isDue { return sink.finding(finding) }
    keep(.finding(finding))
  }

  private func keep(_ bytes: RawSpan, _ call: EvidenceEvent.Call) {
    octets.append(bytes)
    entries.append(Entry(time: latest, told: EvidenceEvent(call, bytes.byteCount)))
  }

  private func keep(_ call: EvidenceEvent.Call) {
    entries.append(Entry(time: latest, told: EvidenceEvent(call)))
  }

  /// Whether the event that has just come may be passed on at once.
  private var isDue: Bool {
    guard let limit else { return false }
    return isEmpty && latest <= limit
  }

  /// Notes the time of the next record; returns whether the record is due.
  private func follow(_ time: Instant) -> Bool {
    latest = max(latest, time.nanoseconds)
    if !hasBegun { (hasBegun, start) = (true, latest) }
    return isDue
  }

  /// Passes on the waiting entries that are due.
  func drain() {
    guard let limit else { return }
    // A class cannot lend what it stores, so the buffer is moved out while it is lent.
    var octets = Scratch()
    swap(&octets, &self.octets)
    var place = octetsDone
    while !isEmpty && next <= limit {
      let told = entries[done].told
      done += 1
      told.play(onto: sink, octets.bytes, at: &place)
      octetsDone = place
    }
    swap(&octets, &self.octets)
    if isEmpty { empty() }
  }

  private func empty() {
    entries.removeAll(keepingCapacity: entries.capacity <= 1 << 12)
    (done, octetsDone) = (0, 0)
    octets.removeAll()
    octets.shrink(above: 1 << 20)
  }
}
