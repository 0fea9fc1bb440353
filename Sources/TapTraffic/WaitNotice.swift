// SPDX-License-Identifier: Apache-2.0

/// Tells the listener when bytes begin to wait in a layer, and when all of them were reported.
public struct WaitNotice: Sendable {
  private var first: Origin?

  public init() {}

  /// Bytes wait. Reported only once until `end`.
  public mutating func begin(_ origin: Origin, _ listener: any Listener) {
    if first != nil { return }
    first = origin
    listener.waiting(from: origin)
  }

  /// All that waited was reported.
  public mutating func end(_ listener: any Listener) {
    guard let first else { return }
    self.first = nil
    listener.caughtUp(first)
  }

  /// Whether the listener was told that bytes wait.
  public var isReported: Bool { first != nil }
}
