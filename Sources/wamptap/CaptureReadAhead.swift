// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TapEvidence
import TapInspector
import TapSources
import TapTraffic

/// Reads and decodes captures on a thread of its own, ahead of the one that joins messages and
/// shows them.
final class CaptureReadAhead: ReadAhead, @unchecked Sendable {
  /// Buffers that are filled, or full, or played.
  private static let buffers = 4
  private static let bufferBytes = 256 << 10
  /// Bytes of captures that are read without anything being handed over.
  private static let mostSilent: UInt64 = 1 << 20

  // Of the thread that reads, while it runs: these, and the engine.
  private var evidence: [InputFile]
  /// Nil where there is one capture, which goes straight to the sink.
  private let timeline: Timeline?
  private let sink: any EvidenceSink
  /// Bytes that are read at once.
  private let most: Int
  /// What the engine fills.
  private var filled: ListenerBuffer?
  /// Bytes that were read for it.
  private var byteCount: UInt64 = 0
  /// There is nothing more to read, or nobody takes what is read.
  private var isOver = false

  private let told = Handover<Stretch<ListenerBuffer>>()
  private let spare = Handover<ListenerBuffer>()
  private let wantsNoMore = Atomic(false)
  private let engine: Engine
  private var thread: WorkerThread?

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
    let filled = ListenerBuffer(most: Self.bufferBytes) { [unowned self] in handOver() }
    self.filled = filled
    for _ in 0..<Self.buffers { spare.give(ListenerBuffer()) }
    engine.decodeAhead(into: filled)
    thread = WorkerThread { [self] in read() }
    if thread == nil {
      engine.endDecodingAhead()
      return nil
    }
  }

  func next() -> Stretch<ListenerBuffer>? { told.take() }

  func giveBack(_ stretch: Stretch<ListenerBuffer>) { spare.give(stretch.content) }

  func endSoon() -> Bool {
    wantsNoMore.store(true, ordering: .relaxed)
    return true
  }

  func stop() {
    wantsNoMore.store(true, ordering: .relaxed)
    spare.close()
    told.close()
    thread?.join()
    thread = nil
    engine.endDecodingAhead()
  }

  private func read() {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileSource.chunkBytes)
    while !isOver && !wantsNoMore.load(ordering: .relaxed) {
      guard let timeline else {
        if !step(0, &buffer, sink) { isOver = true }
        continue
      }
      guard let number = timeline.advance() else { break }
      if !step(number, &buffer, timeline.sink(number)) { timeline.end(number) }
      evidence[number].adapt(waiting: timeline.waitingBytes(number), most: most)
    }
    handOver(isLast: true)
  }

  /// One chunk of a capture; answers whether there may be more of it.
  private func step(
    _ number: Int, _ buffer: inout ContiguousArray<UInt8>, _ sink: any EvidenceSink
  ) -> Bool {
    let before = evidence[number].offset
    defer { byteCount += evidence[number].offset &- before }
    do throws(InputError) {
      // Where a capture has few messages, it is to be heard of all the same.
      if byteCount >= Self.mostSilent { handOver() }
      if case .end = try evidence[number].step(&buffer, sink) { return false }
      return true
    } catch {
      handOver(failure: error)
      return evidence[number].goesOn
    }
  }

  /// Gives what was decoded to who shows it.
  private func handOver(isLast: Bool = false, failure: InputError? = nil) {
    guard let filled else { return }
    guard !isOver || isLast, let next = spare.take() else {
      // Nobody takes anything any more.
      isOver = true
      return filled.exchange(with: ListenerBuffer())
    }
    filled.exchange(with: next)
    told.give(Stretch(content: next, byteCount: byteCount, isLast: isLast, failure: failure))
    byteCount = 0
  }
}
