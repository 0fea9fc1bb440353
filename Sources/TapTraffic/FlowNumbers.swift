// SPDX-License-Identifier: Apache-2.0

/// Numbers of flows that are no TCP connection of their own: pasted streams, streams of HTTP/2.
/// They lie above those that the transport gives, and are used again.
public final class FlowNumbers {
  private var next: UInt32
  private var free: [UInt32] = []

  /// - Parameter last: the highest number that somebody else may give.
  public init(above last: Int) { next = UInt32(clamping: last) &+ 1 }

  public func take() -> UInt32 {
    if let number = free.popLast() { return number }
    next += 1
    return next - 1
  }

  /// The flow with this number has ended.
  public func give(_ number: UInt32) { free.append(number) }
}
