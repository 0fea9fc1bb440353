// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What was captured and is not decoded yet, between the thread that captures and the one that
/// decodes. It is bounded: a packet that finds no room is dropped, and counted where it is missing.
///
/// Once it is full, there is no room until half of that has been taken: one long gap costs less
/// than many short ones.
///
/// Everything that waits is handed over at once, however little it is, so that no message waits for
/// the next; and as long as nobody comes for it, packets gather in the same chunk.
final class ChunkQueue: Sendable {
  /// Bytes of a chunk, unless one packet is larger.
  static let chunkBytes = 256 << 10
  /// Empty chunks that are kept to be used again.
  private static let mostSpare = 8

  private struct State {
    /// The last one is being filled.
    var chunks: ContiguousArray<Chunk> = []
    var spare: ContiguousArray<Chunk> = []
    var waitingBytes = 0
    var isFull = false
    /// Packets dropped since the last one that found room.
    var droppedInARow: UInt64 = 0
    var dropped: UInt64 = 0
    var accepted: UInt64 = 0
    /// Somebody wants to be woken.
    var isWaiting = false
    var hasEnded = false
    var failure: String?
  }

  enum Taken {
    case chunk(Chunk)
    case nothing
    /// Nothing more comes, for a reason if it should not be so.
    case end(String?)
  }

  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: bytes that may wait.
  init(most: Int) { self.most = most }

  /// Puts the 24 bytes of a savefile's header ahead of everything.
  func begin(_ words: [UInt32]) {
    state.withLock { state in
      let chunk = Self.open(&state, 4 * words.count)
      for word in words { chunk.append(word) }
      state.waitingBytes += 4 * words.count
    }
  }

  /// One packet.
  ///
  /// - Returns: whether a chunk has just become full: it is time to wake the thread that waits.
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

  /// No more comes.
  func end(_ failure: String?) {
    state.withLock { ($0.hasEnded, $0.failure) = (true, failure) }
  }

  /// Answers, once, whether somebody waits for what has come meanwhile.
  func isAwaited() -> Bool {
    state.withLock { state in
      guard state.isWaiting, !state.chunks.isEmpty || state.hasEnded else { return false }
      state.isWaiting = false
      return true
    }
  }

  /// What has waited longest. When there is nothing, `isAwaited` will be true once there is.
  func take() -> Taken {
    state.withLock { state in
      // What was dropped is told even when nothing comes behind it.
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

  /// A chunk was read and may be filled again.
  func give(back chunk: Chunk) {
    chunk.empty()
    state.withLock { state in
      if state.spare.count < Self.mostSpare { state.spare.append(chunk) }
    }
  }

  /// Packets that found room, and packets that did not.
  var counts: (accepted: UInt64, dropped: UInt64) {
    state.withLock { ($0.accepted, $0.dropped) }
  }

  /// The chunk that the next bytes go into.
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
