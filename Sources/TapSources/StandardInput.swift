// SPDX-License-Identifier: Apache-2.0
import Synchronization
internal import TapBytes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes standard input readable again: a redirected file is; a pipe is copied to an unnamed file
/// on disk.
public enum StandardInput {
  /// The start offset; nil when it can be read only once.
  private static let start = Mutex<off_t?>(nil)

  /// Whether each reader starts at its beginning.
  public static var isFile: Bool { start.withLock { $0 != nil } }

  /// Detects whether it is redirected from a file.
  public static func look() {
    var status = stat()
    guard !isFile, fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return
    }
    let here = lseek(STDIN_FILENO, 0, SEEK_CUR)
    if here >= 0 { start.withLock { $0 = here } }
  }

  /// Copies a pipe to its end.
  ///
  /// - Parameters:
  ///   - wake: a descriptor that becomes readable when `isOver` may have changed.
  ///   - isOver: whether to stop reading.
  /// - Returns: whether the end was reached.
  public static func keep(wake: Int32, isOver: () -> Bool) throws(InputError) -> Bool {
    look()
    if isFile { return true }
    let copy = try open()
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileReader.chunkBytes)
    let reader = try FileReader(path: "-", wake: wake)
    var isWhole = false
    while !isWhole && !isOver() {
      switch try reader.read(into: &buffer, most: buffer.count) {
      case .octets(let count): try write(buffer.span.bytes.extracting(0..<count), to: copy)
      case .interrupted, .idle, .restarted, .truncated: continue
      case .end: isWhole = true
      }
    }
    guard dup2(copy, STDIN_FILENO) >= 0 else { throw failure(errno) }
    close(copy)
    start.withLock { $0 = 0 }
    return isWhole
  }

  /// Lets the next reader start at the beginning.
  static func rewind() {
    if let start = start.withLock({ $0 }) { lseek(STDIN_FILENO, start, SEEK_SET) }
  }

  private static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  private static func failure(_ code: Int32) -> InputError {
    InputError(path: "-", .cannotKeep(folder: folder, code: code))
  }

  /// An unnamed file, which disappears with the program.
  private static func open() throws(InputError) -> Int32 {
    var name = Array("\(folder)/wamptap.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    if descriptor < 0 { throw failure(errno) }
    unlink(name)
    return descriptor
  }

  private static func write(_ bytes: RawSpan, to copy: Int32) throws(InputError) {
    var done = 0
    while done < bytes.byteCount {
      let count = bytes.extracting(done..<bytes.byteCount).withUnsafeBytes { systemWrite(copy, $0) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { throw failure(errno) }
      done += count
    }
  }
}
