// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An interface, captured by a thread of its own: however long somebody takes to show what was
/// decoded, packets are fetched from the kernel. What it lends are the bytes that a savefile would
/// hold, so that the decoder of files reads this.
public final class LiveSource: @unchecked Sendable {
  public enum Taken {
    case chunk
    /// Nothing yet; the descriptor that was given becomes readable when there is something.
    case nothing
    /// Nothing more comes, for a reason if it should not be so.
    case end(String?)
  }

  /// Microseconds for which packets that the kernel is gathering are awaited at the end, and for
  /// which they are then fetched at most.
  private static let farewell: UInt32 = 3 * UInt32(CaptureHandle.milliseconds) * 1000
  private static let mostFarewell = 100

  /// As the user named it.
  public let name: String
  private let settings: CaptureSettings
  private let handle: CaptureHandle
  private let queue: ChunkQueue
  /// Keeps the packets, too.
  private var file: CaptureFile?
  /// Its number there.
  private var interface = 0
  /// Written to when something has come.
  private var wake: Int32 = -1
  private var thread: WorkerThread?
  /// The thread is to end, and need not look what else has come.
  private let haste = Flag()
  private var packets: UInt64 = 0

  /// Opens the interface; nothing is captured yet.
  public init(_ name: String, _ settings: CaptureSettings) throws(CaptureError) {
    (self.name, self.settings) = (name, settings)
    handle = try CaptureHandle(name, settings)
    queue = ChunkQueue(most: settings.waitingBytes)
  }

  /// LINKTYPE_ value of its packets.
  public var linkType: UInt16 { handle.linkType }

  /// What is not as it was asked for, though packets come.
  public var warning: String? { handle.warning }

  /// What became of its packets until now. Asked by one thread only.
  public var statistics: CaptureStatistics {
    var statistics = handle.statistics()
    let counts = queue.counts
    statistics.captured = counts.accepted &+ counts.dropped
    statistics.droppedByProgram = counts.dropped
    return statistics
  }

  /// Begins to capture.
  ///
  /// - Parameters:
  ///   - wake: a descriptor that a byte is written to when something has come.
  ///   - file: keeps the packets.
  public func start(wake: Int32, file: CaptureFile?) {
    (self.wake, self.file) = (wake, file)
    let precision: UInt8 = handle.isNanoseconds ? 9 : 6
    interface =
      file?.addInterface(
        CaptureFile.Interface(
          name: name, filter: settings.filter, linkType: linkType,
          snaplen: UInt32(clamping: settings.snaplen), precision: precision)) ?? 0
    file?.flush()
    // draft-ietf-opsawg-pcap §4, in the order of bytes that most machines have.
    let magic: UInt32 = handle.isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4
    queue.begin([magic, 4 << 16 | 2, 0, 0, UInt32(clamping: settings.snaplen), UInt32(linkType)])
    thread = WorkerThread { [self] in run() }
    if thread == nil { queue.end("no thread could be started") }
  }

  /// Captures no more.
  ///
  /// - Parameter takesRest: what the kernel has until now is still wanted.
  public func stop(takesRest: Bool) {
    if !takesRest { haste.raise() }
    handle.stop()
  }

  /// Lends what has waited longest to `body`, with the number of packets that were dropped just
  /// before it. Those at once.
  public func take(_ body: (RawSpan, _ dropped: UInt64) throws -> Void) rethrows -> Taken {
    switch queue.take() {
    case .nothing: return .nothing
    case .end(let failure): return .end(failure)
    case .chunk(let chunk):
      defer { queue.give(back: chunk) }
      try body(chunk.bytes.bytes, chunk.droppedBefore)
      return .chunk
    }
  }

  /// The thread.
  private func run() {
    var failure: String?
    loop: while true {
      switch handle.dispatch(to: self) {
      case .packets: pass()
      case .stopped: break loop
      case .failed(let words):
        failure = words
        break loop
      }
    }
    if failure == nil && !haste.isRaised { takeRest() }
    queue.end(failure)
    pass()
  }

  /// What the kernel was gathering when capturing was to end.
  private func takeRest() {
    handle.waitNoLonger()
    usleep(Self.farewell)
    for _ in 0..<Self.mostFarewell {
      let before = packets
      guard case .packets = handle.dispatch(to: self), packets != before else { return }
      pass()
    }
  }

  /// A packet, from within `dispatch`.
  func receive(
    _ octets: UnsafeRawBufferPointer, seconds: UInt32, fraction: UInt32, original: UInt32
  ) {
    packets &+= 1
    file?.packet(
      octets, interface: interface, seconds: seconds, fraction: fraction, original: original)
    let isFull = queue.append(
      octets, seconds: seconds, fraction: fraction, original: original)
    if isFull { wakeReader() }
  }

  /// Hands on what has come.
  private func pass() {
    file?.flush()
    wakeReader()
  }

  private func wakeReader() {
    if queue.isAwaited() { _ = write(wake, "!", 1) }
  }
}
