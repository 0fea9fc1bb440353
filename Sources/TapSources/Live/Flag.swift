// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A one-time signal between threads.
final class Flag: Sendable {
  private let isSet = Atomic(false)

  var isRaised: Bool { isSet.load(ordering: .acquiring) }

  func raise() { isSet.store(true, ordering: .releasing) }
}
