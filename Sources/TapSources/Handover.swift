// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A row of things that one thread gives and another takes, which waits until there is one.
public final class Handover<Item>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let hasChanged = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var row: [Item] = []
  private var isClosed = false

  public init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(hasChanged, nil)
  }

  deinit {
    pthread_cond_destroy(hasChanged)
    pthread_mutex_destroy(mutex)
    hasChanged.deallocate()
    mutex.deallocate()
  }

  /// Who gives an item keeps no reference to it: what the other thread changes would be copied.
  public func give(_ item: consuming Item) {
    pthread_mutex_lock(mutex)
    row.append(item)
    pthread_mutex_unlock(mutex)
    // A thread that is woken while the mutex is held sleeps once more.
    pthread_cond_signal(hasChanged)
  }

  /// What was given first; nil when no more comes.
  public func take() -> Item? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while row.isEmpty && !isClosed { pthread_cond_wait(hasChanged, mutex) }
    return isClosed ? nil : row.removeFirst()
  }

  /// Nobody is to wait any more, and what was not taken is forgotten.
  public func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    row.removeAll()
    pthread_cond_broadcast(hasChanged)
    pthread_mutex_unlock(mutex)
  }
}
