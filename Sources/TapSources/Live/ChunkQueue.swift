// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A bounded queue of packets between the capturing and the decoding thread. A packet that does not
/// fit is dropped, and counted at its place.
///
/// Once full, it accepts no packets until half of it was taken: one long gap costs less than many
/// short ones.
///
/// Everything that waits is handed over at once, however little it is, so that no message waits for
/// the next one. While nobody takes it, packets gather in the same chunk.
final class ChunkQueue: Sendable {
  /// The size of a chunk in bytes, unless one packet is larger.
  static let chunkBytes = 256 << 10
  /// The limit of empty chunks that are kept for reuse.
  private static let mostSpare = 8

  private struct State {
    /// The last one is being filled.
    var chunks: ContiguousArray<Chunk> = []
    var spare: ContiguousArray<Chunk> = []
    var waitingBytes = 0
    var isFull = false
    /// Packets dropped since the last accepted one.
    var droppedInARow: UInt64 = 0
    var dropped: UInt64 = 0
    var accepted: UInt64 = 0
    /// The reader wants to be woken.
    var isWaiting = false
    var hasEnded = false
    var failure: String?
  }

  enum Taken {
    case chunk(Chunk)
    case nothing
    /// No more packets will come; with the reason if it is a failure.
    case end(String?)
  }

  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: the limit of waiting bytes.
  init(most: Int) { self.most = most }

  /// Adds the 24 bytes of the pcap file header first.
  func begin(_ words: [UInt32]) {
    state.withLock { state in
      let chunk = Self.open(&state, 4 * words.count)
      for word in words { chunk.append(word) }
      state.waitingBytes += 4 * words.count
    }
  }

  /// Adds one packet.
  ///
  /// - Returns: whether a chunk has just become full: the waiting thread should be woken.
  func append(
    _ octets: UnsafeRawBufferPointer, seconds: UInt32, fraction: UInt32, original: UInt32
  ) -> Bool {
    let size = 16 + octets.count
    return state.withLock { state in
      if state.isFull && state.waitingBytes <= most / 2 { state.isFull = false }
      guard !state.isFull && state.waitingBytes + size <= most else {
        state.isFull = true
        state.dropped &+= 1
        state.droppedInARow &+= 1
        return false
      }
      state.accepted &+= 1
      let before = state.chunks.count
      let chunk = Self.open(&state, size)
      chunk.append(seconds)
      chunk.append(fraction)
      chunk.append(UInt32(truncatingIfNeeded: octets.count))
      chunk.append(original)
      chunk.append(octets)
      state.waitingBytes += size
      return before > 0 && state.chunks.count > before
    }
  }

  /// No more packets will come.
  func end(_ failure: String?) {
    state.withLock { ($0.hasEnded, $0.failure) = (true, failure) }
  }

  /// Whether the reader waits for packets that have come meanwhile; true only once.
  func isAwaited() -> Bool {
    state.withLock { state in
      guard state.isWaiting, !state.chunks.isEmpty || state.hasEnded else { return false }
      state.isWaiting = false
      return true
    }
  }

  /// Takes the oldest chunk. When there is none, `isAwaited` will be true once there is.
  func take() -> Taken {
    state.withLock { state in
      // Report dropped packets even if no packet follows.
      if state.chunks.isEmpty && state.droppedInARow > 0 { _ = Self.open(&state, 0) }
      if !state.chunks.isEmpty {
        let chunk = state.chunks.removeFirst()
        state.waitingBytes -= chunk.count
        return .chunk(chunk)
      }
      if state.hasEnded { return .end(state.failure) }
      state.isWaiting = true
      return .nothing
    }
  }

  /// Returns a chunk that was read, for reuse.
  func give(back chunk: Chunk) {
    chunk.empty()
    state.withLock { state in
      if state.spare.count < Self.mostSpare { state.spare.append(chunk) }
    }
  }

  /// The numbers of accepted and dropped packets.
  var counts: (accepted: UInt64, dropped: UInt64) {
    state.withLock { ($0.accepted, $0.dropped) }
  }

  /// The chunk for the next bytes.
  private static func open(_ state: inout State, _ size: Int) -> Chunk {
    if state.droppedInARow == 0, let last = state.chunks.last, last.room >= size { return last }
    let chunk: Chunk
    if let spare = state.spare.last, spare.room >= size {
      chunk = spare
      state.spare.removeLast()
    } else {
      chunk = Chunk(capacity: max(chunkBytes, size))
    }
    chunk.droppedBefore = state.droppedInARow
    state.droppedInARow = 0
    state.chunks.append(chunk)
    return chunk
  }
}
