// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input as something that can be read again: a file that it was redirected from is; of a
/// pipe, a copy without a name is made on disk.
public enum StandardInput {
  /// Where it begins; nil where it can be read once.
  private static let start = Mutex<off_t?>(nil)

  /// Whether each reader begins at its beginning.
  public static var isFile: Bool { start.withLock { $0 != nil } }

  /// Takes note of a file that it was redirected from.
  public static func look() {
    var status = stat()
    guard !isFile, fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return
    }
    let here = lseek(STDIN_FILENO, 0, SEEK_CUR)
    if here >= 0 { start.withLock { $0 = here } }
  }

  /// Copies what comes through a pipe, to its end.
  public static func keep() throws(InputError) {
    look()
    if isFile { return }
    let copy = try open()
    var offset: UInt64 = 0
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileSource.chunkBytes)
    let reader = try FileReader(path: "-")
    reading: while true {
      switch try reader.read(into: &buffer, most: buffer.count) {
      case .octets(let count): try write(buffer[..<count], to: copy, &offset)
      case .interrupted, .idle, .restarted, .truncated: continue
      case .end: break reading
      }
    }
    guard dup2(copy, STDIN_FILENO) >= 0 else {
      throw InputError(path: "-", .cannotRead(offset: offset, code: errno))
    }
    close(copy)
    start.withLock { $0 = 0 }
  }

  /// The next reader begins at the beginning.
  static func rewind() {
    if let start = start.withLock({ $0 }) { lseek(STDIN_FILENO, start, SEEK_SET) }
  }

  /// A file that is gone with the program.
  private static func open() throws(InputError) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/wamptap.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw InputError(path: "-", .cannotRead(offset: 0, code: errno))
    }
    unlink(name)
    return descriptor
  }

  private static func write(
    _ bytes: ContiguousArray<UInt8>.SubSequence, to copy: Int32, _ offset: inout UInt64
  ) throws(InputError) {
    var done = bytes.startIndex
    while done < bytes.endIndex {
      let count = bytes[done...].withUnsafeBytes { systemWrite(copy, $0) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { throw InputError(path: "-", .cannotRead(offset: offset, code: errno)) }
      done += count
      offset += UInt64(count)
    }
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
