// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TapEvidence
import TapInspector
import TapSources
import TapTraffic

/// Reads and decodes captures ahead of what is shown. A thread of its own reads messages in what
/// connections carried; the thread that takes the messages joins and shows them. Whichever of the
/// two has nothing to do reads packets and puts the bytes of connections in order: two threads keep
/// two cores busy, however long a message takes to decode and to show.
final class CaptureReadAhead: ReadAhead, @unchecked Sendable {
  /// Buffers of either kind that circulate, besides the one that is being filled.
  private static let buffers = 4
  private static let bufferBytes = 256 << 10
  /// After so many bytes of captures, a buffer is handed over even if it is not full.
  private static let mostSilent: UInt64 = 1 << 20

  /// Buffers that are filled, handed over and played back.
  private final class Stage<Buffer> {
    // Used only by the thread that fills.
    var buffer: Buffer?
    /// Bytes that were read for it.
    var byteCount: UInt64 = 0
    // Used by both threads.
    let full = Handover<ReadAheadBatch<Buffer>>()
    let spare = Handover<Buffer>()

    /// - Parameters:
    ///   - empty: what is handed over, with the contents of `buffer`.
    ///   - exchange: swaps the contents of two buffers.
    func handOver(
      in empty: Buffer, isLast: Bool, failure: InputError?, exchange: (Buffer, Buffer) -> Void
    ) {
      guard let buffer else { return }
      exchange(buffer, empty)
      full.give(
        ReadAheadBatch(content: empty, byteCount: byteCount, isLast: isLast, failure: failure))
      byteCount = 0
    }
  }

  // Used only by the thread that holds `reading`, as is the transport layer of the engine.
  private var evidence: [InputFile]
  /// Nil where there is one capture, which goes straight to the sink.
  private let timeline: Timeline?
  private let sink: any EvidenceSink
  /// What is read into.
  private var octets = ContiguousArray<UInt8>(repeating: 0, count: FileReader.chunkBytes)
  /// Bytes that are read at once.
  private let most: Int
  private var isAllRead = false
  /// A buffer was handed over since the thread began to read.
  private var hasHandedOver = false
  private let reading = Mutex(())

  /// Filled by the thread that reads; the decoding thread passes them to the upper layers of the
  /// engine.
  private let streams = Stage<StreamBuffer>()
  /// Filled by the decoding thread; taken by the thread that shows messages.
  private let messages = Stage<ListenerBuffer>()

  private let wantsNoMore = Atomic(false)
  private let engine: Engine
  private var decoder: WorkerThread?

  /// Starts to read on; nil where the system has no more threads.
  ///
  /// - Parameters:
  ///   - sink: the engine, or what packets pass before it.
  ///   - most: bytes that are read at once.
  init?(
    _ evidence: [InputFile], _ timeline: Timeline?, onto sink: any EvidenceSink,
    _ engine: Engine, most: Int
  ) {
    (self.evidence, self.timeline, self.sink) = (evidence, timeline, sink)
    (self.engine, self.most) = (engine, most)
    (streams.buffer, messages.buffer) = (engine.streamBuffer, ListenerBuffer())
    streams.buffer?.limit(to: Self.bufferBytes) { [unowned self] in handOverStreams() }
    messages.buffer?.limit(to: Self.bufferBytes) { [unowned self] in handOverMessages() }
    for _ in 0..<Self.buffers {
      streams.spare.give(StreamBuffer())
      messages.spare.give(ListenerBuffer())
    }
    engine.decodeAhead()
    decoder = WorkerThread { [self] in decode() }
    if decoder == nil {
      engine.endDecodingAhead()
      return nil
    }
  }

  func next() -> ReadAheadBatch<ListenerBuffer>? {
    while true {
      if let stretch = messages.full.takeIfReady() { return stretch }
      // Read no further ahead than there are buffers.
      if streams.spare.isEmpty || !readIfNobodyDoes() { return messages.full.take() }
    }
  }

  func giveBack(_ stretch: ReadAheadBatch<ListenerBuffer>) { messages.spare.give(stretch.content) }

  func endSoon() -> Bool {
    wantsNoMore.store(true, ordering: .relaxed)
    return true
  }

  func stop() {
    wantsNoMore.store(true, ordering: .relaxed)
    streams.full.close()
    messages.spare.close()
    messages.full.close()
    decoder?.join()
    decoder = nil
    engine.endDecodingAhead()
  }

  // MARK: Reading

  /// Reads until at least one buffer was handed over.
  ///
  /// - Returns: false if the other thread reads, or all was read.
  private func readIfNobodyDoes() -> Bool {
    reading.withLockIfAvailable { _ in
      if isAllRead { return false }
      hasHandedOver = false
      while !hasHandedOver && !isAllRead {
        isAllRead = wantsNoMore.load(ordering: .relaxed) || !step()
      }
      if isAllRead { handOverStreams(isLast: true) }
      return true
    } ?? false
  }

  /// One chunk of a capture; answers whether there may be more.
  private func step() -> Bool {
    guard let timeline else { return step(0, sink) }
    guard let number = timeline.advance() else { return false }
    if !step(number, timeline.sink(number)) { timeline.end(number) }
    evidence[number].adapt(waiting: timeline.waitingBytes(number), most: most)
    return true
  }

  /// One chunk of one of them; answers whether there may be more of it.
  private func step(_ number: Int, _ sink: any EvidenceSink) -> Bool {
    let before = evidence[number].offset
    defer { streams.byteCount += evidence[number].offset &- before }
    do throws(InputError) {
      // A capture with few messages hardly fills buffers. Hand over what was read all the same, so
      // that progress is shown and Control-C is noticed.
      if streams.byteCount >= Self.mostSilent { handOverStreams() }
      if case .end = try evidence[number].step(&octets, sink) { return false }
      return true
    } catch {
      handOverStreams(failure: error)
      return evidence[number].goesOn
    }
  }

  /// Does not wait for a buffer: the thread that reads may be the one that frees them. What a chunk
  /// contains bounds how many there are.
  private func handOverStreams(isLast: Bool = false, failure: InputError? = nil) {
    let empty = streams.spare.takeIfReady() ?? StreamBuffer()
    streams.handOver(in: empty, isLast: isLast, failure: failure) { $0.exchange(with: $1) }
    hasHandedOver = true
  }

  // MARK: The thread that decodes

  private func decode() {
    while let stretch = nextStreams() {
      messages.byteCount += stretch.byteCount
      if let buffer = messages.buffer { engine.read(stretch.content, into: buffer) }
      if stretch.isLast || stretch.failure != nil || messages.byteCount >= Self.mostSilent {
        handOverMessages(isLast: stretch.isLast, failure: stretch.failure)
      }
      if stretch.isLast { return }
      streams.spare.give(stretch.content)
    }
  }

  private func nextStreams() -> ReadAheadBatch<StreamBuffer>? {
    if let stretch = streams.full.takeIfReady() { return stretch }
    _ = readIfNobodyDoes()
    return streams.full.take()
  }

  private func handOverMessages(isLast: Bool = false, failure: InputError? = nil) {
    guard let empty = messages.spare.take() else {
      // Nobody takes anything any more.
      messages.buffer?.exchange(with: ListenerBuffer())
      return
    }
    messages.handOver(in: empty, isLast: isLast, failure: failure) { $0.exchange(with: $1) }
  }
}
