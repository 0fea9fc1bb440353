// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A thread that runs one function. It blocks signals, so that they interrupt system calls of the
/// other threads.
public final class WorkerThread: @unchecked Sendable {
  /// Its stack size in bytes: the usual size of the main thread; other threads have less on macOS.
  fileprivate static let stackBytes = 8 << 20

  /// Kept only until it runs, so that captured objects are released with the thread.
  private var body: (@Sendable () -> Void)?
  private var thread: pthread_t?

  /// Starts the thread; nil when the system cannot create one.
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

/// The running thread retains its object.
private func start(_ worker: WorkerThread) -> pthread_t? {
  let context = Unmanaged.passRetained(worker).toOpaque()
  // Not `pthread_attr_t()`: headers for vector instructions declare the type too, and the compiler
  // may use their declaration, which is not imported here.
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
