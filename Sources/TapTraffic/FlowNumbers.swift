// SPDX-License-Identifier: Apache-2.0

/// Numbers of flows that are not TCP connections: pasted streams, streams of HTTP/2. They are above
/// those that the transport uses, and are reused.
public final class FlowNumbers {
  private var next: UInt32
  private var free: [UInt32] = []

  /// - Parameter last: the highest number that somebody else may use.
  public init(above last: Int) { next = UInt32(clamping: last) &+ 1 }

  public func take() -> UInt32 {
    if let number = free.popLast() { return number }
    next += 1
    return next - 1
  }

  /// The flow with this number has ended.
  public func give(_ number: UInt32) { free.append(number) }
}
