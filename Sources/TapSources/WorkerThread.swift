// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A thread that does one thing and ends. Signals are for the other threads: they interrupt what
/// these wait for.
public final class WorkerThread: @unchecked Sendable {
  /// Bytes of its stack: what the first thread mostly has, and others on macOS have not.
  fileprivate static let stackBytes = 8 << 20

  /// Until it runs: what it holds is let go with the thread.
  private var body: (@Sendable () -> Void)?
  private var thread: pthread_t?

  /// Starts it; nil where the system has no more threads.
  public init?(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    thread = start(self)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    if thread == nil { return nil }
  }

  /// Waits until it has ended.
  public func join() {
    guard let thread else { return }
    pthread_join(thread, nil)
    self.thread = nil
  }

  deinit { if let thread { pthread_detach(thread) } }

  fileprivate func run() {
    let body = body.take()
    body?()
  }
}

/// The thread keeps its object as long as it runs.
private func start(_ worker: WorkerThread) -> pthread_t? {
  let context = Unmanaged.passRetained(worker).toOpaque()
  // Not `pthread_attr_t()`: headers for vectors declare the type, too, and the compiler may take it
  // for theirs, which nobody imports here.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  defer { pthread_attr_destroy(attributes) }
  pthread_attr_setstacksize(attributes, WorkerThread.stackBytes)
  #if canImport(Darwin)
    var thread: pthread_t?
    let body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      Unmanaged<WorkerThread>.fromOpaque($0).takeRetainedValue().run()
      return nil
    }
  #else
    var thread = pthread_t()
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      Unmanaged<WorkerThread>.fromOpaque($0!).takeRetainedValue().run()
      return nil
    }
  #endif
  if pthread_create(&thread, attributes, body, context) == 0 { return thread }
  Unmanaged<WorkerThread>.fromOpaque(context).release()
  return nil
}
