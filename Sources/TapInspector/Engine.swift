// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapTLS
public import TapTraffic
import TapTransport

/// The sink that inputs deliver packets, streams and messages to. It owns the transport, which owns
/// the connections; the inspector only listens.
public final class Engine: EvidenceSink {
  /// Why a pasted message was not understood, and where it began.
  public struct Refusal: Sendable {
    public var offset: UInt64
    /// Which input, from 0.
    public var input: UInt16
    /// What it is not, in words: `not a message that can be read`.
    public var complaint: StaticString
    public var reason: String
  }

  /// The first `Limits.refusals` of them; `refusalCount` counts all.
  public private(set) var refusals: [Refusal] = []
  public private(set) var refusalCount = 0

  /// How inputs were read whose format does not identify itself.
  public var recognitions: [(input: UInt16, what: String)] {
    verdicts.map { input, verdict in
      // The files of a rotated log count as one.
      let files = successions.first { $0.contains(Int(input)) } ?? [Int(input)]
      let known = verdict.messages.map { _ in
        files.reduce(0) { $0 + inspector.written(in: UInt16(truncatingIfNeeded: $1)) }
      }
      return (input, verdict.words(counted: wantsMore ? known : nil))
    }
  }
  private var verdicts: [(input: UInt16, verdict: InputVerdict)] = []

  /// Secrets of TLS sessions, from key logs and from captures.
  public let secrets: TLSSecrets
  private let factory: LayerFactory
  /// By input; so is `tallies`.
  private var streams: [UInt16: PastedStream] = [:]
  private var tallies: [UInt16: PastedTally] = [:]
  private let transport: Cell<Transport>
  /// The layers above the transport.
  private let layers: RelayedLayers
  private var conversations: Conversations
  /// Series of inputs that continue each other, as the files of a rotated log.
  private let successions: [[Int]]
  /// The layers of pasted messages, by dialect; nil for a dialect that none was in.
  private var pasted: [(any Layer)?]
  /// Recognisers of pasted messages, by dialect.
  private var recognisers: [any Recogniser]
  private var hasPackets = false
  /// An input has named conversations, and was not pasted.
  private var hasConversations = false
  private let inspector: Inspector
  /// Hears what is found: `lastListener`, or the buffer while decoding is ahead.
  private var listener: any Listener
  /// Hears it in the end: the inspector, `order`, or a test's listener.
  private let lastListener: any Listener
  /// Sorts what is reported before the inspector hears it; nil where nothing is held back.
  private let order: TimeOrder?
  private let limits: Limits

  /// - Parameters:
  ///   - listener: hears what is found instead of the inspector.
  ///   - dialect: the name of the dialect that everything speaks; nil to recognise it.
  ///   - successions: series of inputs that continue each other.
  ///   - ordersByTime: hold what is reported while older bytes wait, so that times do not run
  ///     backwards. Not for a live capture.
  public init(
    _ inspector: Inspector, limits: Limits, listener: (any Listener)? = nil,
    dialect: String? = nil, successions: [[Int]] = [], ordersByTime: Bool = false
  ) {
    (self.inspector, self.limits) = (inspector, limits)
    order = ordersByTime ? TimeOrder(inspector, limits) : nil
    lastListener = listener ?? order ?? inspector
    self.listener = lastListener
    secrets = TLSSecrets(limits: limits)
    factory = LayerFactory(
      limits: limits, secrets: secrets, reportsFrames: inspector.wishes.contains(.frames),
      dialect: dialect, messages: inspector.messageRules)
    layers = RelayedLayers(factory, streamBuffer)
    transport = Cell(Transport(chooser: layers, limits: limits))
    conversations = Conversations(factory, limits, successions: successions)
    self.successions = successions
    pasted = Dialects.all.map { _ in nil }
    recognisers = Dialects.recognisers(limits: limits, SharedScan(limits: limits))
  }

  public var wantsMore: Bool { decodesAhead || inspector.wantsMore }

  /// The transport fills `streamBuffer`, and does not call the layers.
  private var decodesAhead = false
  package let streamBuffer = StreamBuffer()

  /// Decodes packets ahead in three steps, each of which may have a thread of its own: the
  /// transport fills `streamBuffer`, `read` runs the layers on what was in it and fills another
  /// buffer, and `play` passes that on to the listener.
  package func decodeAhead() {
    decodesAhead = true
    listener = streamBuffer
    layers.begin()
    transport.value.replaceLayers { layers.adopt($0) }
  }

  /// From now on, what is found goes straight to the listener again.
  public func endDecodingAhead() {
    decodesAhead = false
    listener = lastListener
    layers.end()
  }

  /// Runs the layers on what is in a buffer.
  package func read(_ streams: StreamBuffer, into found: ListenerBuffer) {
    streams.play(onto: layers, found) { take(secrets: $0) }
  }

  /// Passes the content of a buffer on to the listener.
  package func play(_ found: ListenerBuffer) { found.play(onto: lastListener) }

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    guard wantsMore else { return }
    hasPackets = true
    // `listener`, a variable, would be retained for each packet; constants are not.
    guard decodesAhead else { return transport.value.receive(bytes, packet, lastListener) }
    transport.value.receive(bytes, packet, streamBuffer)
  }

  /// The number of the last packet's TCP connection, from 1; 0 where it belongs to none, nil where
  /// it is a fragment that waits for others.
  public var lastConversation: UInt64? { transport.value.lastConversation }

  public func quiet(for silence: Int64, at now: Instant) -> Int64? {
    guard wantsMore else { return nil }
    return transport.value.quiet(for: silence, at: now, listener)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    guard wantsMore else { return }
    if !opening.provenance.isPasted { hasConversations = true }
    conversations.open(opening, delivery, listener)
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    conversations.close(closing, delivery, listener)
  }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) {
    guard wantsMore else { return }
    if delivery.origin.flow != 0 { return conversations.receive(bytes, delivery, listener) }
    if paste(bytes, delivery) { return }
    refusalCount += 1
    if refusals.count >= limits.refusals { return }
    let spoken = Dialects.all.indices.filter { factory.maySpeak(Dialects.all[$0]) }
    // Dialects whose messages are lists come first in the list, those of objects last.
    let isObject =
      (0..<bytes.byteCount).first { bytes.byte(at: $0) > 0x20 }
      .map { bytes.byte(at: $0) == UInt8(ascii: "{") } ?? false
    let reason = (isObject ? spoken.last : spoken.first).map {
      "read as \(Dialects.all[$0].name): \(recognisers[$0].refusal(of: bytes))"
    }
    let hint = UnreadListNames.name(of: bytes).map { "; it could be \($0)" } ?? ""
    refusals.append(
      Refusal(
        offset: delivery.origin.offset, input: delivery.origin.input,
        complaint: "not a message that can be read",
        reason: (reason ?? "") + hint))
  }

  /// Pasted text has no context that says what it is: it must be a message by itself.
  ///
  /// - Returns: whether it is one.
  private func paste(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    var best: (place: Int, grade: Recognition.Grade)?
    for (place, dialect) in Dialects.all.enumerated() where factory.maySpeak(dialect) {
      let isSpoken = pasted[place] != nil || factory.isForced
      let grade = recognisers[place].recognise(
        bytes, delivery.kind, in: .paste(isSpoken: isSpoken)
      ).grade
      if grade > best?.grade ?? .none { best = (place, grade) }
    }
    guard let place = best?.place else { return false }
    let opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: false)
    if delivery.kind == .binary {
      // Each may have another serializer.
      var layer = Dialects.all[place].layer(opening, factory.context())
      layer.receive(bytes, delivery, listener)
      tallies[delivery.origin.input, default: PastedTally()].add(inspector.lastSerializer)
      return true
    }
    if pasted[place] == nil {
      // Pasted messages of different dialects are not related, so each dialect has its own layer.
      pasted[place] = Dialects.all[place].layer(opening, factory.context())
    }
    pasted[place]!.receive(bytes, delivery, listener)
    return true
  }

  public func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    guard wantsMore else { return }
    conversations.control(opcode, payload, delivery, listener)
  }

  public func stream(_ bytes: RawSpan, _ delivery: Delivery) {
    guard wantsMore else { return }
    if delivery.origin.flow != 0 { return conversations.receive(bytes, delivery, listener) }
    open(delivery)
    streams[delivery.origin.input]!.receive(bytes, delivery, listener)
  }

  public func gap(_ missing: Int?, _ delivery: Delivery) {
    guard wantsMore else { return }
    if delivery.origin.flow != 0 { return conversations.gap(missing, delivery, listener) }
    open(delivery)
    streams[delivery.origin.input]!.gap(missing, delivery, listener)
  }

  public func endStream(_ delivery: Delivery) {
    guard var stream = streams.removeValue(forKey: delivery.origin.input) else { return }
    stream.finish(delivery, listener)
    tallies[delivery.origin.input, default: PastedTally()].add(stream.tally)
  }

  private func open(_ delivery: Delivery) {
    let input = delivery.origin.input
    if streams[input] != nil { return }
    streams[input] = PastedStream(factory, flow: factory.flows.take(), limits)
  }

  public func secrets(_ keyLog: RawSpan, _: Origin) {
    // Keeps their order among the bytes of streams.
    if decodesAhead { return streamBuffer.secrets(keyLog) }
    take(secrets: keyLog)
  }

  private func take(secrets keyLog: RawSpan) {
    var log = KeyLog()
    log.receive(keyLog, into: secrets)
    log.peek(into: secrets)
    if !keyLog.isEmpty { secrets.noteSource() }
    secrets.expect()
  }

  /// Takes secrets from a key log, which is read further whenever a secret is missing. There may be
  /// several key logs.
  ///
  /// - Parameter readOn: lends what was added to the file since.
  public func follow(keyLog readOn: @escaping ((RawSpan) -> Void) -> Void) {
    let log = Cell(KeyLog())
    let others = secrets.refresh
    secrets.noteSource()
    secrets.refresh = { [unowned secrets] in
      others?()
      var hasGrown = false
      readOn {
        hasGrown = true
        log.value.receive($0, into: secrets)
      }
      // If nothing was added, the last line is complete.
      log.value.peek(into: secrets, isEnd: !hasGrown)
    }
    secrets.refresh?()
  }

  /// Where an input may have secrets behind the packets that they open, all of the evidence is
  /// searched for them once one is missing.
  ///
  /// - Parameter readAll: passes all secrets of the evidence to a sink.
  public func findSecretsAhead(_ readAll: @escaping (any EvidenceSink) -> Void) {
    secrets.lookAhead = { [unowned self] in
      readAll(SecretsSink { [unowned self] in take(secrets: $0) })
    }
  }

  public func recognised(_ verdict: InputVerdict, _ origin: Origin) {
    let words = tallies[origin.input]?.words ?? ""
    var reported = verdict
    if !words.isEmpty { reported.what += ", \(words)" }
    verdicts.append((origin.input, reported))
  }

  public func count(_ thing: Counter, _ amount: Int) {
    guard wantsMore else { return }
    listener.count(thing, amount)
  }

  public func refuse(_ reason: String, _ origin: Origin) {
    refusalCount += 1
    if refusals.count >= limits.refusals { return }
    refusals.append(
      Refusal(
        offset: origin.offset, input: origin.input, complaint: "nothing that can be read",
        reason: reason))
  }

  public func context(_ words: RawSpan, _ line: ContextLine) {
    guard wantsMore else { return }
    listener.context(words, line)
  }

  public func finding(_ finding: Finding) {
    guard wantsMore else { return }
    if finding.origin.flow != 0 { return conversations.finding(finding, listener) }
    listener.finding(finding)
  }

  /// The end of all evidence, or of what was read of it.
  ///
  /// - Parameter stop: why reading stopped early; evaluated after the last message was reported.
  public func finish(_ stop: @autoclosure () -> Summary.Stop? = nil) {
    for input in streams.keys.sorted() {
      endStream(Delivery(Origin(input: input)))
    }
    conversations.finish(listener)
    if hasPackets { transport.value.finish(listener) }
    factory.run.sessions.finish(listener)
    order?.finish()
    inspector.finish(hasPackets: hasPackets, hasConversations: hasConversations, stop())
  }
}
