// SPDX-License-Identifier: Apache-2.0

/// Tells the listener while bytes wait, for a layer that holds them.
public struct WaitNotice: Sendable {
  private var first: Origin?

  public init() {}

  /// Bytes wait; of those that waited before, the listener knows.
  public mutating func begin(_ origin: Origin, _ listener: any Listener) {
    if first != nil { return }
    first = origin
    listener.waiting(from: origin)
  }

  /// All that waited was told.
  public mutating func end(_ listener: any Listener) {
    guard let first else { return }
    self.first = nil
    listener.caughtUp(first)
  }

  /// Whether the listener knows of bytes that wait.
  public var isTold: Bool { first != nil }
}
