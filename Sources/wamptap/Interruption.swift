// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Signals and the time limit while evidence is read. Each of them ends a wait for more bytes.
///
/// Control-C and the like: the first one ends the reading, so that what was read can be summed up;
/// the second one, whichever it is, ends the program. SIGUSR1, and SIGINFO where there is one, asks
/// for the status. The time limit ends the reading, too.
enum Interruption {
  /// The signal that came; 0 for none.
  static var signal: Int32 { pending }
  /// Becomes readable when something comes.
  static var wake: Int32 { wakeEnds.0 }
  /// Where others write a byte to end the wait.
  static var waker: Int32 { wakeEnds.1 }
  /// The time that was given is over.
  static var isTimeUp: Bool { timeUp != 0 }

  /// Nothing more is to be read.
  static var isOver: Bool { signal != 0 || isTimeUp }

  /// - Parameter limit: seconds after which the time is over; nil for never.
  static func arm(limit: Double? = nil) {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      wakeEnds = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }
    (pending, asked, timeUp) = (0, 0, 0)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      handle(number, flags: Int32(truncatingIfNeeded: SA_RESETHAND)) { number in
        let before = errno
        // It was reset to its default by being handled: the second one ends the program.
        if pending != 0 { kill(getpid(), number) }
        pending = number
        _ = write(wakeEnds.1, "!", 1)
        errno = before
      }
    }
    for number in questions {
      handle(number, flags: 0) { _ in
        let before = errno
        asked = 1
        _ = write(wakeEnds.1, "?", 1)
        errno = before
      }
    }
    handle(SIGWINCH, flags: Int32(truncatingIfNeeded: SA_RESTART)) { _ in resized = 1 }
    guard let limit else { return }
    handle(SIGALRM, flags: 0) { _ in
      let before = errno
      timeUp = 1
      _ = write(wakeEnds.1, "!", 1)
      errno = before
    }
    var timer = itimerval()
    timer.it_value.tv_sec = time_t(limit)
    timer.it_value.tv_usec = suseconds_t((limit - limit.rounded(.down)) * 1e6)
    setitimer(realTimer, &timer, nil)
  }

  /// Answers, once, whether somebody wants to know how it goes.
  static func isAsked() -> Bool {
    if asked == 0 { return false }
    asked = 0
    return true
  }

  /// Answers, once, whether the terminal has another size.
  static func isResized() -> Bool {
    if resized == 0 { return false }
    resized = 0
    return true
  }

  /// Ends the wait of another thread, although nothing came.
  static func wakeUp() { _ = write(waker, "!", 1) }

  /// Forgets a signal that only asked for the status. One that ends the reading must end the next
  /// wait, too.
  static func answer() {
    drain()
    if isOver { wakeUp() }
  }

  /// Waits until something comes, and forgets that it came.
  ///
  /// - Parameter milliseconds: -1 to wait as long as it takes.
  static func wait(milliseconds: Int32) {
    var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, milliseconds) > 0 { drain() }
  }

  /// Forgets that something came: the next wait is for something else.
  static func drain() {
    var octets = [UInt8](repeating: 0, count: 256)
    while read(wake, &octets, octets.count) == octets.count {}
  }

  /// Installs a handler. A signal that is to end a wait comes without SA_RESTART, so that the
  /// system call returns.
  private static func handle(_ number: Int32, flags: Int32, _ body: @escaping Action) {
    var before = sigaction()
    // Who started us (nohup, a shell in the background) may want it to be ignored.
    guard sigaction(number, nil, &before) == 0, !isIgnored(before) else { return }
    var action = sigaction()
    set(&action, body)
    action.sa_flags = flags
    _ = sigaction(number, &action, nil)
    unblock(number)
  }

  /// A program inherits the signals that are blocked where it was started, which is hardly meant.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    _ = pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Ends the program by the signal that came, as its caller expects: a shell stops its
  /// loop then.
  ///
  /// - Parameter isExpected: Control-C is the usual end, and no more than that.
  static func endIfAny(isExpected: Bool) {
    if pending == 0 || isExpected && pending != SIGHUP { return }
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

#if canImport(Darwin)
  private let questions = [SIGUSR1, SIGINFO]
#else
  private let questions = [SIGUSR1]
#endif

#if canImport(Glibc)
  private let realTimer = Int32(ITIMER_REAL.rawValue)
#else
  private let realTimer = Int32(ITIMER_REAL)
#endif

/// Written by the handlers of signals.
nonisolated(unsafe) private var pending: Int32 = 0
nonisolated(unsafe) private var asked: Int32 = 0
nonisolated(unsafe) private var timeUp: Int32 = 0
nonisolated(unsafe) private var resized: Int32 = 0
/// A pipe into which the handlers write: a signal that comes just before a wait must end it too.
nonisolated(unsafe) private var wakeEnds: (Int32, Int32) = (-1, -1)
