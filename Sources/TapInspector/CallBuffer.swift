// SPDX-License-Identifier: Apache-2.0

/// Keeps calls, in order, to be made later, maybe on another thread. It must not be filled and
/// played at once, which is not checked.
package class CallBuffer {
  /// Memory of an empty buffer that is kept for what comes next.
  static let spareBytes = 4 << 20

  /// Bytes that may be kept.
  private final let most: Int
  /// Called when it is full; it is to be emptied.
  private final let whenFull: () -> Void

  /// - Parameters:
  ///   - bytes: how many may be kept, roughly; the last call is kept whole.
  ///   - whenFull: called in the middle of what is told; has to exchange or to play it.
  package init(most bytes: Int = .max, whenFull: @escaping () -> Void = {}) {
    (most, self.whenFull) = (bytes, whenFull)
  }

  /// - Parameter size: roughly what is kept, in bytes.
  @inline(__always) final func check(_ size: Int) {
    if size > most { whenFull() }
  }
}
