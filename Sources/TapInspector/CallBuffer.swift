// SPDX-License-Identifier: Apache-2.0

/// Records calls, in order, to make them later, maybe on another thread. It must not be filled and
/// played at the same time; this is not checked.
package class CallBuffer {
  /// Memory that an empty buffer keeps for the next calls.
  static let spareBytes = 4 << 20

  /// Bytes that may be kept.
  private final var most = Int.max
  /// Called when it is full, to exchange or play the buffer.
  private final var whenFull: () -> Void = {}

  /// Without limits.
  package init() {}

  /// - Parameters:
  ///   - bytes: approximate limit; the call that exceeds it is still recorded whole.
  ///   - whenFull: called while a call is being recorded; has to exchange the buffer or play it.
  package final func limit(to bytes: Int, whenFull: @escaping () -> Void) {
    (most, self.whenFull) = (bytes, whenFull)
  }

  /// - Parameter size: what is recorded, in bytes, approximately.
  @inline(__always) final func check(_ size: Int) {
    if size > most { whenFull() }
  }
}
