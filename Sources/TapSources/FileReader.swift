// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An open file, pipe or standard input. It never reads ahead, so that several can be read
/// alternately.
public final class FileReader {
  public enum Outcome: Equatable, Sendable {
    /// This many bytes are in the buffer; a short read of a pipe returns at once.
    case octets(Int)
    case end
    /// A signal came; nothing was read, and nothing is lost.
    case interrupted
    /// The end of a followed file, or a timeout on a pipe: more may come.
    case idle
    /// Another file has replaced the followed one, and is read from here on.
    case restarted
    /// The followed file got shorter, and is read from its beginning.
    case truncated
  }

  /// The size of the reused buffer in bytes.
  public static let chunkBytes = 256 << 10

  /// As the user named it; `-` is standard input.
  public let path: String
  /// The number of bytes read.
  public private(set) var offset: UInt64 = 0
  private var descriptor: Int32
  /// It is a regular file, whose reads do not block.
  private let isFile: Bool
  /// The file may grow, and may be replaced by another with its name.
  private let follows: Bool
  /// The followed file did not exist yet.
  public private(set) var isAwaited = false
  /// Files that have had its name since, in their order: they are read when it is.
  private var successors: [Int32] = []
  /// When the first of these was seen, and when something came after that: in milliseconds.
  private var replaced = (at: 0, last: 0)
  /// A pipe that becomes readable when reading should stop; -1 for none.
  private let wake: Int32

  /// - Parameters:
  ///   - wake: a descriptor that becomes readable when waiting for a pipe should stop.
  ///   - follows: continue at the end of the file, as with `tail -F`.
  public init(
    path: String, wake: Int32 = -1, follows: Bool = false
  ) throws(InputError) {
    self.path = path
    do {
      descriptor = try Self.open(path)
    } catch {
      guard follows, error.reason == .notFound else { throw error }
      // A placeholder until the file exists.
      descriptor = try Self.open("/dev/null")
      isAwaited = true
    }
    var status = stat()
    isFile =
      isAwaited || fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.wake = isFile && !follows ? -1 : wake
    self.follows = isFile && follows && path != "-"
  }

  deinit {
    if path != "-" { close(descriptor) }
    for successor in successors { close(successor) }
  }

  /// The number of bytes from here to the end of a file; nil for pipes and devices.
  public var size: UInt64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let position = max(lseek(descriptor, 0, SEEK_CUR), 0)
    return UInt64(max(Int64(status.st_size) - Int64(position), 0))
  }

  /// Whether a read would not block, within this many milliseconds.
  public func isReady(within milliseconds: Int32) -> Bool {
    if isFile { return true }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Reads at most `most` bytes.
  ///
  /// - Parameter milliseconds: how long to wait for a pipe; -1 for as long as it takes.
  public func read(
    into buffer: inout ContiguousArray<UInt8>, most: Int, within milliseconds: Int32 = -1
  ) throws(InputError) -> Outcome {
    while true {
      // Wait with poll first: a signal just before read(2) would not interrupt it, and a pipe
      // without a writer yet would appear to have ended.
      if !isFile, let other = wait(milliseconds) { return other }
      let count = buffer.withUnsafeMutableBytes { room in
        systemRead(descriptor, UnsafeMutableRawBufferPointer(rebasing: room.prefix(most)))
      }
      if count == 0 { return follows ? try awaitMore(milliseconds) : .end }
      if count > 0 {
        offset += UInt64(count)
        if !successors.isEmpty { replaced.last = Self.milliseconds() }
        return .octets(count)
      }
      switch errno {
      case EINTR: return .interrupted
      // A directory can be opened; only reading it fails.
      case EISDIR: throw InputError(path: path, .isDirectory)
      case EAGAIN: if let other = wait(milliseconds) { return other }
      case let code: throw InputError(path: path, .cannotRead(offset: offset, code: code))
      }
    }
  }

  /// At the end of a followed file: waits a while for more.
  private func awaitMore(_ milliseconds: Int32) throws(InputError) -> Outcome {
    var here = stat()
    guard fstat(descriptor, &here) == 0 else { return .end }
    try noteSuccessor()
    if !successors.isEmpty && (isAwaited || isLeft()) {
      close(descriptor)
      (descriptor, isAwaited) = (successors.removeFirst(), false)
      let now = Self.milliseconds()
      replaced = (now, now)
      return .restarted
    }
    let position = max(lseek(descriptor, 0, SEEK_CUR), 0)
    if here.st_size < position {
      lseek(descriptor, 0, SEEK_SET)
      return .truncated
    }
    var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    let pause = milliseconds < 0 ? Self.pause : min(milliseconds, Self.pause)
    return poll(&entry, 1, pause) == 0 ? .idle : .interrupted
  }

  /// Opens a file that has the name now: by the time it is read, another one may have it.
  private func noteSuccessor() throws(InputError) {
    var newest = stat()
    var named = stat()
    guard fstat(successors.last ?? descriptor, &newest) == 0,
      stat(FileName.system(path), &named) == 0,
      named.st_ino != newest.st_ino || named.st_dev != newest.st_dev
    else { return }
    do {
      let successor = try Self.open(path)
      if successors.isEmpty {
        let now = Self.milliseconds()
        replaced = (now, now)
      }
      successors.append(successor)
    } catch {
      // It has been renamed meanwhile.
      if error.reason != .notFound { throw error }
    }
  }

  /// Whether the program that writes to a file that was replaced seems to have opened the new one.
  private func isLeft() -> Bool {
    let now = Self.milliseconds()
    return now - replaced.last >= Self.silence || now - replaced.at >= Self.patience
      || successors.count >= Self.mostSuccessors
  }

  private static func milliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// Milliseconds without anything new, after which a file that was replaced is left.
  private static let silence = 1000

  /// Milliseconds after which it is left although a program goes on writing to it.
  private static let patience = 5000

  /// Of so many, none is waited for.
  private static let mostSuccessors = 8

  /// Milliseconds between two checks of a followed file.
  private static let pause: Int32 = 100

  /// Raises the limit of open files to this count, as far as the system allows.
  public static func allowOpening(_ count: Int) {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    // Some others are open too.
    let wanted = rlim_t(count + 64)
    if limit.rlim_cur >= wanted { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = setrlimit(openFiles, &limit)
  }

  private static func open(_ path: String) throws(InputError) -> Int32 {
    if path == "-" {
      StandardInput.rewind()
      return STDIN_FILENO
    }
    while true {
      // Without O_NONBLOCK, opening a pipe would block until it has a writer.
      let descriptor = systemOpen(path)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
      }
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR: throw InputError(path: path, .notFound)
      case EACCES, EPERM: throw InputError(path: path, .notPermitted)
      case EISDIR: throw InputError(path: path, .isDirectory)
      case let code: throw InputError(path: path, .cannotOpen(code: code))
      }
    }
  }

  /// Waits with poll(2), which also works if standard input was left non-blocking (by a shell after
  /// a crashed program). Nil when there is something to read.
  private func wait(_ milliseconds: Int32) -> Outcome? {
    // poll(2) ignores a descriptor of -1.
    var entries = [descriptor, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&entries, 2, milliseconds)
    if count < 0 { return errno == EINTR ? .interrupted : nil }
    if count == 0 { return .idle }
    return entries[1].revents == 0 ? nil : .interrupted
  }
}

#if canImport(Glibc)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
#endif

// Free functions: inside the type, `open` and `read` would mean its own methods.

private func systemOpen(_ path: String) -> Int32 {
  open(FileName.system(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
}

private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, room.baseAddress, room.count)
}
