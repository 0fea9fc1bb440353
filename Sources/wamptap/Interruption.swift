// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Control-C and the like: the first one ends the reading, so that what was read can be summed up;
/// the second one ends the program.
enum Interruption {
  /// The signal that came; 0 for none.
  static var signal: Int32 { pending }
  /// Becomes readable when a signal comes.
  static var wake: Int32 { wakeEnds.0 }

  static func arm() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 { wakeEnds = (ends[0], ends[1]) }
    pending = 0
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var before = sigaction()
      // Who started us (nohup, a shell in the background) may want it to be ignored.
      guard sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
      var action = sigaction()
      set(&action) { number in
        let before = errno
        pending = number
        _ = write(wakeEnds.1, "!", 1)
        errno = before
      }
      // Without SA_RESTART: a call that waits must come back.
      action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
      _ = sigaction(number, &action, nil)
      unblock(number)
    }
  }

  /// A thread that blocks signals starts programs that block them, and hardly means to.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    _ = pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Ends the program by the signal that came, as whoever started it expects: a shell stops its
  /// loop then.
  static func endIfAny() {
    if pending == 0 { return }
    var action = sigaction()
    _ = sigaction(pending, &action, nil)
    kill(getpid(), pending)
  }

  #if canImport(Darwin)
    private static func isIgnored(_ action: sigaction) -> Bool {
      address(action.__sigaction_u.__sa_handler) == address(SIG_IGN)
    }

    private static func set(_ action: inout sigaction, _ body: @escaping Action) {
      action.__sigaction_u.__sa_handler = body
    }
  #elseif canImport(Glibc)
    private static func isIgnored(_ action: sigaction) -> Bool {
      address(action.__sigaction_handler.sa_handler) == address(SIG_IGN)
    }

    private static func set(_ action: inout sigaction, _ body: @escaping Action) {
      action.__sigaction_handler.sa_handler = body
    }
  #else
    private static func isIgnored(_ action: sigaction) -> Bool {
      address(action.__sa_handler.sa_handler) == address(SIG_IGN)
    }

    private static func set(_ action: inout sigaction, _ body: @escaping Action) {
      action.__sa_handler.sa_handler = body
    }
  #endif

  private typealias Action = @convention(c) (Int32) -> Void

  private static func address(_ action: Action?) -> Int { unsafeBitCast(action, to: Int.self) }
}

/// Written by the signal's handler.
nonisolated(unsafe) private var pending: Int32 = 0
/// A pipe into which it writes: a signal that comes just before a wait must end it too.
nonisolated(unsafe) private var wakeEnds: (Int32, Int32) = (-1, -1)
