// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A queue from one thread to another, which waits while it is empty.
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

  /// The caller must not keep a reference to the item, as the other thread's changes would then
  /// copy it.
  public func give(_ item: consuming Item) {
    pthread_mutex_lock(mutex)
    row.append(item)
    pthread_mutex_unlock(mutex)
    // Signal after unlocking: a thread woken while the mutex is held would block again.
    pthread_cond_signal(hasChanged)
  }

  /// The oldest item; nil when no more will come.
  public func take() -> Item? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while row.isEmpty && !isClosed { pthread_cond_wait(hasChanged, mutex) }
    return isClosed ? nil : row.removeFirst()
  }

  /// The oldest item, without waiting for one.
  public func takeIfReady() -> Item? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return isClosed || row.isEmpty ? nil : row.removeFirst()
  }

  public var isEmpty: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return row.isEmpty
  }

  /// Ends waiting, and drops items that were not taken.
  public func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    row.removeAll()
    pthread_cond_broadcast(hasChanged)
    pthread_mutex_unlock(mutex)
  }
}
