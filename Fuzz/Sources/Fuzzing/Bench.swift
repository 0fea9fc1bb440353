// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Tests a layer: listens to what it tells, adds up the bytes, and provides the layers above it.
public final class Bench: Listener, Chooser {
  private var fates = [Int](repeating: 0, count: Fate.allCases.count)
  private var things = [Int](repeating: 0, count: Counter.allCases.count)
  private var findings: Story
  private var openings: Story
  /// The lent bytes, by layer and direction.
  private var lent: [[Story]] = []
  private let isReadable: Bool
  let sent = Sent()
  /// How many bytes of streams were passed on.
  public private(set) var delivered = 0
  /// Carriers whose layers receive messages, not streams.
  public var carriersOfMessages: [Opening.Carrier] = []
  /// Stream bytes that are passed on must equal the sent ones at the same offset.
  public var keepsPlaces = false
  /// Record the bytes passed on, for comparison.
  public var comparesStreams = true
  /// Called with the lent bytes, and the number of the receiving layer, from 0.
  public var onBytes: ((RawSpan, Delivery, Int) -> Void)?

  public init(isReadable: Bool = false) {
    self.isReadable = isReadable
    findings = Story(isReadable: isReadable)
    openings = Story(isReadable: isReadable)
  }

  public subscript(fate: Fate) -> Int { fates[fate.rawValue] }
  public subscript(thing: Counter) -> Int { things[thing.rawValue] }
  public var description: String {
    Fate.allCases.map { "\($0.name) \(self[$0])" }.joined(separator: ", ")
      + ", passed on \(delivered)"
  }
  /// The script has no gaps.
  public var isWhole: Bool { !sent.hasGaps }

  /// A search for the next frame or record has reached its limit, which may depend on piece
  /// boundaries.
  public private(set) var hasGivenUp = false

  /// All bytes that one side has sent; nil when some are missing.
  public func sentWhole(_ direction: Direction) -> [UInt8]? {
    sent.hasGaps ? nil : sent.octets[Int(direction.rawValue)]
  }

  /// How many bytes both sides have sent so far.
  public var fed: Int { sent.fed }

  /// How many bytes are accounted for or were passed on.
  public var accounted: Int { fates.reduce(delivered, +) }

  /// Whether both reported and passed on the same, apart from piece boundaries.
  func matches(_ other: Bench) -> Bool {
    fates == other.fates && things == other.things && lent == other.lent
      && findings == other.findings && openings == other.openings
  }

  var text: String {
    description + openings.text + findings.text + lent.joined().map(\.text).joined(separator: "\n")
  }

  public func layer(for opening: Opening) -> any Layer {
    openings.note("layer", Int(opening.carrier.rawValue), opening.isFromStart ? 1 : 0)
    return reader(ofMessages: carriersOfMessages.contains(opening.carrier))
  }

  /// A layer that reads everything.
  public func reader(ofMessages isOfMessages: Bool) -> some Layer {
    lent.append([Story](repeating: Story(isReadable: isReadable), count: 3))
    return Reader(bench: self, number: lent.count - 1, isOfMessages: isOfMessages)
  }

  private struct Reader: Layer {
    let bench: Bench
    let number: Int
    let isOfMessages: Bool

    mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _: any Listener) {
      if (delivery.kind == .stream) == isOfMessages { fail("\(delivery.kind) for the other kind") }
      bench.receive(bytes, delivery, number)
    }

    mutating func gap(_ missing: Int?, _ delivery: Delivery, _: any Listener) {
      if let missing, missing <= 0 { fail("a gap of \(missing)") }
      bench.lent[number][Int(delivery.origin.direction.rawValue)].note("gap", missing ?? -1)
    }

    mutating func finish(_ ending: Ending, _ delivery: Delivery, _: any Listener) {
      bench.lent[number][Int(delivery.origin.direction.rawValue)].note("end", "\(ending)")
    }
  }

  private func receive(_ bytes: RawSpan, _ delivery: Delivery, _ number: Int) {
    let side = Int(delivery.origin.direction.rawValue)
    onBytes?(bytes, delivery, number)
    if delivery.kind != .stream {
      lent[number][side].note("message", Int(delivery.kind.rawValue), Int(delivery.certainBytes))
      return lent[number][side].note("octets", bytes)
    }
    if bytes.isEmpty { fail("nothing was lent") }
    delivered += bytes.byteCount
    if comparesStreams { lent[number][side].append(bytes) }
    if !keepsPlaces { return }
    let start = Int(delivery.origin.offset)
    if !sent.says(bytes, at: start, side) {
      fail("\(bytes.byteCount) octets were not sent at \(start): \(delivery.origin)")
    }
  }

  public func opened(_ opening: Opening, _: Delivery) {
    openings.note("url", opening.url.span.bytes)
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    RangeCheck.check(message, bytes, notes)
    openings.note("message", bytes)
  }

  public func finding(_ finding: Finding) {
    findings.note("finding", Int(finding.severity.rawValue))
    findings.note("code", finding.code.name)
    if finding.code.name.hasSuffix(".framing-lost") { hasGivenUp = true }
    findings.note("text", finding.text)
  }

  public func closed(_ closing: Closing, _: Delivery) {
    openings.note("closed", Int(closing.by.rawValue), Int(closing.code ?? 0))
  }

  public func account(_ fate: Fate, _ bytes: Int) {
    if bytes < 0 { fail("\(bytes) bytes are \(fate.name)") }
    fates[fate.rawValue] += bytes
  }

  public func count(_ thing: Counter, _ amount: Int) {
    if amount < 0 { fail("\(amount) \(thing.name)") }
    things[thing.rawValue] += amount
  }
}

/// Runs a script through a layer, and every other script twice, the second time with its segments
/// split: every byte is accounted for once or passed on, and the splits make no difference.
///
/// - Parameters:
///   - mayCut: whether the layer did not use segment boundaries as evidence.
///   - prepare: called with each bench.
///   - finish: called with the first bench at the end.
public func expectAccounted(
  _ script: UnsafeRawBufferPointer, mayCut: (Bench) -> Bool = { _ in true },
  prepare: (Bench) -> Void = { _ in }, _ make: (Bench) -> any Layer,
  finish: (Bench) -> Void = { _ in }
) {
  func play(cutBy seed: UInt64?, isReadable: Bool = false) -> Bench {
    let bench = Bench(isReadable: isReadable)
    prepare(bench)
    var layer = make(bench)
    var played = StreamScript(bench.sent, cutBy: seed)
    played.play(script, on: &layer, bench)
    if bench.accounted != bench.sent.fed {
      fail("\(bench.sent.fed) bytes fed; \(bench.description)")
    }
    return bench
  }
  let whole = play(cutBy: nil)
  finish(whole)
  let seed = hash(script)
  if seed >> 63 != 0 || whole.hasGivenUp || !mayCut(whole) { return }
  if !play(cutBy: seed).matches(whole) {
    let (whole, cut) = (
      play(cutBy: nil, isReadable: true), play(cutBy: seed, isReadable: true)
    )
    fail("cut:\n\(cut.text)\n\nwhole:\n\(whole.text)")
  }
}
