// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TapEvidence
import TapInspector
import TapSources
import TapTraffic

/// Reads and decodes captures ahead of what is shown, on two threads of its own: one reads packets
/// and puts the bytes of connections in order, the other reads messages in them. The thread that
/// takes the messages joins and shows them.
final class CaptureReadAhead: ReadAhead, @unchecked Sendable {
  /// Buffers of either kind that circulate between two threads, besides the one that is being
  /// filled.
  private static let buffers = 4
  private static let bufferBytes = 256 << 10
  /// After so many bytes of captures, a buffer is handed over even if it is not full.
  private static let mostSilent: UInt64 = 1 << 20

  /// Buffers that one thread fills and another one plays back.
  private final class Stage<Buffer> {
    // Used only by the thread that fills.
    var buffer: Buffer?
    /// Bytes that were read for it.
    var byteCount: UInt64 = 0
    /// There is nothing more to come, or nobody takes what comes.
    var isOver = false
    // Used by both threads.
    let full = Handover<Stretch<Buffer>>()
    let spare = Handover<Buffer>()

    /// - Parameter exchange: swaps the contents of two buffers.
    func handOver(
      isLast: Bool = false, failure: InputError? = nil, fresh: () -> Buffer,
      exchange: (Buffer, Buffer) -> Void
    ) {
      guard let buffer else { return }
      guard !isOver || isLast, let next = spare.take() else {
        // Nobody takes anything any more.
        isOver = true
        return exchange(buffer, fresh())
      }
      exchange(buffer, next)
      full.give(Stretch(content: next, byteCount: byteCount, isLast: isLast, failure: failure))
      byteCount = 0
    }
  }

  // Used only by the reading thread while it runs, as is the transport layer of the engine.
  private var evidence: [InputFile]
  /// Nil where there is one capture, which goes straight to the sink.
  private let timeline: Timeline?
  private let sink: any EvidenceSink
  /// Bytes that are read at once.
  private let most: Int

  /// Filled by the reading thread; the decoding thread passes them to the upper layers of the
  /// engine.
  private let streams = Stage<StreamBuffer>()
  /// Filled by the decoding thread; taken by the thread that shows messages.
  private let messages = Stage<ListenerBuffer>()

  private let wantsNoMore = Atomic(false)
  private let engine: Engine
  private var threads: [WorkerThread] = []

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
    let streams = StreamBuffer(most: Self.bufferBytes) { [unowned self] in handOverStreams() }
    self.streams.buffer = streams
    messages.buffer = ListenerBuffer(most: Self.bufferBytes) { [unowned self] in handOverMessages()
    }
    for _ in 0..<Self.buffers {
      self.streams.spare.give(StreamBuffer())
      messages.spare.give(ListenerBuffer())
    }
    engine.decodeAhead(through: streams)
    // The decoding thread is started first: nothing is read that nobody takes.
    guard let decoder = WorkerThread({ [self] in decode() }) else {
      engine.endDecodingAhead()
      return nil
    }
    threads.append(decoder)
    guard let reader = WorkerThread({ [self] in read() }) else {
      stop()
      return nil
    }
    threads.append(reader)
  }

  func next() -> Stretch<ListenerBuffer>? { messages.full.take() }

  func giveBack(_ stretch: Stretch<ListenerBuffer>) { messages.spare.give(stretch.content) }

  func endSoon() -> Bool {
    wantsNoMore.store(true, ordering: .relaxed)
    return true
  }

  func stop() {
    wantsNoMore.store(true, ordering: .relaxed)
    streams.spare.close()
    streams.full.close()
    messages.spare.close()
    messages.full.close()
    for thread in threads { thread.join() }
    threads = []
    engine.endDecodingAhead()
  }

  // MARK: The thread that reads

  private func read() {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileReader.chunkBytes)
    while !streams.isOver && !wantsNoMore.load(ordering: .relaxed) {
      guard let timeline else {
        if !step(0, &buffer, sink) { streams.isOver = true }
        continue
      }
      guard let number = timeline.advance() else { break }
      if !step(number, &buffer, timeline.sink(number)) { timeline.end(number) }
      evidence[number].adapt(waiting: timeline.waitingBytes(number), most: most)
    }
    handOverStreams(isLast: true)
  }

  /// One chunk of a capture; answers whether there may be more of it.
  private func step(
    _ number: Int, _ buffer: inout ContiguousArray<UInt8>, _ sink: any EvidenceSink
  ) -> Bool {
    let before = evidence[number].offset
    defer { streams.byteCount += evidence[number].offset &- before }
    do throws(InputError) {
      // A capture with few messages hardly fills buffers. Hand over what was read all the same, so
      // that progress is shown and Control-C is noticed.
      if streams.byteCount >= Self.mostSilent { handOverStreams() }
      if case .end = try evidence[number].step(&buffer, sink) { return false }
      return true
    } catch {
      handOverStreams(failure: error)
      return evidence[number].goesOn
    }
  }

  private func handOverStreams(isLast: Bool = false, failure: InputError? = nil) {
    streams.handOver(isLast: isLast, failure: failure, fresh: { StreamBuffer() }) {
      $0.exchange(with: $1)
    }
  }

  // MARK: The thread that decodes

  private func decode() {
    while let stretch = streams.full.take() {
      messages.byteCount += stretch.byteCount
      if let buffer = messages.buffer { engine.read(stretch.content, into: buffer) }
      if stretch.isLast || stretch.failure != nil || messages.byteCount >= Self.mostSilent {
        handOverMessages(isLast: stretch.isLast, failure: stretch.failure)
      }
      if stretch.isLast { return }
      streams.spare.give(stretch.content)
    }
  }

  private func handOverMessages(isLast: Bool = false, failure: InputError? = nil) {
    messages.handOver(isLast: isLast, failure: failure, fresh: { ListenerBuffer() }) {
      $0.exchange(with: $1)
    }
  }
}
