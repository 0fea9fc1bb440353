// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An interface captured by its own thread: packets are fetched from the kernel however slow the
/// output is. It lends its bytes in the pcap file format, so that the file decoder reads them.
public final class LiveSource: @unchecked Sendable {
  public enum Taken {
    case chunk
    /// Nothing yet; the `wake` descriptor becomes readable when there is something.
    case nothing
    /// No more packets will come; with the reason if it is a failure.
    case end(String?)
  }

  /// How long to wait at the end for packets in the kernel's buffer, in microseconds; and how many
  /// times to fetch them at most.
  private static let farewell: UInt32 = 3 * UInt32(CaptureHandle.milliseconds) * 1000
  private static let mostFarewell = 100

  /// As the user named it.
  public let name: String
  private let settings: CaptureSettings
  private let handle: CaptureHandle
  private let queue: ChunkQueue
  /// Also stores the packets.
  private var file: CaptureFile?
  /// The interface's number in the file.
  private var interface = 0
  /// A byte is written to it when packets have come.
  private var wake: Int32 = -1
  private var thread: WorkerThread?
  /// The thread should end without fetching the rest.
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

  /// libpcap's warning if packets come but a setting was not applied.
  public var warning: String? { handle.warning }

  /// Counts of its packets so far. Must be called from one thread only.
  public var statistics: CaptureStatistics {
    var statistics = handle.statistics()
    let counts = queue.counts
    statistics.captured = counts.accepted &+ counts.dropped
    statistics.droppedByProgram = counts.dropped
    return statistics
  }

  /// Starts capturing.
  ///
  /// - Parameters:
  ///   - wake: a descriptor to which a byte is written when packets have come.
  ///   - file: also stores the packets.
  public func start(wake: Int32, file: CaptureFile?) {
    (self.wake, self.file) = (wake, file)
    let precision: UInt8 = handle.isNanoseconds ? 9 : 6
    interface =
      file?.addInterface(
        CaptureFile.Interface(
          name: name, filter: settings.filter, linkType: linkType,
          snaplen: UInt32(clamping: settings.snaplen), precision: precision)) ?? 0
    file?.flush()
    // draft-ietf-opsawg-pcap §4, little-endian as on most machines.
    let magic: UInt32 = handle.isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4
    queue.begin([magic, 4 << 16 | 2, 0, 0, UInt32(clamping: settings.snaplen), UInt32(linkType)])
    thread = WorkerThread { [self] in run() }
    if thread == nil { queue.end("no thread could be started") }
  }

  /// Stops capturing.
  ///
  /// - Parameter takesRest: fetch the packets still in the kernel.
  public func stop(takesRest: Bool) {
    if !takesRest { haste.raise() }
    handle.stop()
  }

  /// Lends the oldest chunk to `body`, with the number of packets dropped just before it.
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

  /// The thread's function.
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

  /// Fetches the packets that were in the kernel's buffer when capturing stopped.
  private func takeRest() {
    handle.waitNoLonger()
    usleep(Self.farewell)
    for _ in 0..<Self.mostFarewell {
      let before = packets
      guard case .packets = handle.dispatch(to: self), packets != before else { return }
      pass()
    }
  }

  /// Takes a packet; called by `dispatch`.
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

  /// Flushes the file and wakes the reader.
  private func pass() {
    file?.flush()
    wakeReader()
  }

  private func wakeReader() {
    if queue.isAwaited() { _ = write(wake, "!", 1) }
  }
}
