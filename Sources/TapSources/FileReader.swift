// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file, a pipe or standard input that is open for reading, so that several can be read by turns.
/// It never reads ahead.
public final class FileReader {
  public enum Outcome: Equatable, Sendable {
    /// So many bytes are in the buffer; a short read of a pipe is answered at once.
    case octets(Int)
    case end
    /// A signal came; nothing was read, and nothing is lost.
    case interrupted
    /// The end of a file that is followed, or nothing in a pipe for so long: more may come.
    case idle
    /// Another file has the name of the one that is followed, which was read to its end.
    case restarted
    /// The file that is followed got shorter, and is read from its beginning.
    case truncated
  }

  /// Bytes of a buffer that is used again and again.
  public static let chunkBytes = 256 << 10

  /// As the user named it; `-` is standard input.
  public let path: String
  /// Bytes that were read.
  public private(set) var offset: UInt64 = 0
  private var descriptor: Int32
  /// A regular file, for which nobody waits.
  private let isFile: Bool
  /// The file may grow, and may be replaced by another of its name.
  private let follows: Bool
  /// The file that is followed was not there when it was opened.
  public private(set) var isAwaited = false
  /// A pipe that becomes readable once no more is wanted; -1 for none.
  private let wake: Int32

  /// - Parameters:
  ///   - wake: a descriptor that becomes readable when waiting for a pipe is to end.
  ///   - follows: the end of a file is no end.
  public init(
    path: String, wake: Int32 = -1, follows: Bool = false
  ) throws(InputError) {
    self.path = path
    do {
      descriptor = try Self.open(path)
    } catch {
      guard follows, error.reason == .notFound else { throw error }
      // In its place until it comes.
      descriptor = try Self.open("/dev/null")
      isAwaited = true
    }
    var status = stat()
    isFile =
      isAwaited || fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.wake = isFile && !follows ? -1 : wake
    self.follows = isFile && follows && path != "-"
  }

  deinit { if path != "-" { close(descriptor) } }

  /// Bytes from here to the end, as far as a file has one; nil for pipes and devices.
  public var size: UInt64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let position = max(lseek(descriptor, 0, SEEK_CUR), 0)
    return UInt64(max(Int64(status.st_size) - Int64(position), 0))
  }

  /// Whether something can be read, or the end be seen, within so many milliseconds.
  public func isReady(within milliseconds: Int32) -> Bool {
    if isFile { return true }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// One read, of `most` bytes or fewer.
  ///
  /// - Parameter milliseconds: how long it waits for a pipe; -1 to wait as long as it takes.
  public func read(
    into buffer: inout ContiguousArray<UInt8>, most: Int, within milliseconds: Int32 = -1
  ) throws(InputError) -> Outcome {
    while true {
      // A signal that comes just before read(2) would not end its wait, and a pipe that nobody has
      // opened for writing yet would seem to have ended.
      if !isFile, let other = wait(milliseconds) { return other }
      let count = buffer.withUnsafeMutableBytes { room in
        systemRead(descriptor, UnsafeMutableRawBufferPointer(rebasing: room.prefix(most)))
      }
      if count == 0 { return follows ? try goOn(milliseconds) : .end }
      if count > 0 {
        offset += UInt64(count)
        return .octets(count)
      }
      switch errno {
      case EINTR: return .interrupted
      // The file opens like any other; only reading it fails.
      case EISDIR: throw InputError(path: path, .isDirectory)
      case EAGAIN: if let other = wait(milliseconds) { return other }
      case let code: throw InputError(path: path, .cannotRead(offset: offset, code: code))
      }
    }
  }

  /// At the end of a file that is followed: waits a while for more.
  private func goOn(_ milliseconds: Int32) throws(InputError) -> Outcome {
    var here = stat()
    var named = stat()
    guard fstat(descriptor, &here) == 0 else { return .end }
    let isThere = stat(FileName.system(path), &named) == 0
    if isThere && (named.st_ino != here.st_ino || named.st_dev != here.st_dev) {
      // What was written to it before it was renamed was read to its end just now.
      let next = try Self.open(path)
      close(descriptor)
      (descriptor, isAwaited) = (next, false)
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

  /// Milliseconds between two looks at a file that is followed.
  private static let pause: Int32 = 100

  /// Lets so many files be open at once, as far as the system allows.
  public static func allowOpening(_ count: Int) {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    // Others are open beside them.
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
      // Without it, the open of a pipe waits for somebody who writes, whatever comes meanwhile.
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

  /// Waits by poll(2), also where somebody left standard input non-blocking (a shell after a
  /// crashed program). Answers nil when there is something to read.
  private func wait(_ milliseconds: Int32) -> Outcome? {
    // A descriptor of -1 is passed over.
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
