// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The bytes of a file, a pipe or standard input, in chunks, as they arrive. It does not know what
/// is in them and never reads ahead.
public struct FileSource {
  /// Octets of the one buffer that is used again and again.
  public static let chunkBytes = 256 << 10

  /// As the user named it; `-` is standard input.
  public let path: String

  public init(path: String) { self.path = path }

  /// Reads to the end of the file.
  ///
  /// - Parameter body: is lent each chunk for the call; a short read of a pipe is passed on at
  /// once.
  /// - Throws: `InputError`, or what `body` throws.
  public func read(_ body: (RawSpan) throws -> Void) throws {
    let descriptor = try open()
    defer { if path != "-" { close(descriptor) } }
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: Self.chunkBytes)
    var offset: UInt64 = 0
    while true {
      let count = try fill(&buffer, descriptor, offset)
      if count == 0 { return }
      offset += UInt64(count)
      try body(buffer.span.bytes.extracting(0..<count))
    }
  }

  private func open() throws(InputError) -> Int32 {
    if path == "-" { return STDIN_FILENO }
    while true {
      let descriptor = systemOpen(path)
      if descriptor >= 0 { return descriptor }
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR: throw InputError(path: path, .notFound)
      case EACCES, EPERM: throw InputError(path: path, .notPermitted)
      case EISDIR: throw InputError(path: path, .isDirectory)
      case let code: throw InputError(path: path, .cannotOpen(code: code))
      }
    }
  }

  /// One read; answers 0 at the end.
  private func fill(
    _ buffer: inout ContiguousArray<UInt8>, _ descriptor: Int32, _ offset: UInt64
  ) throws(InputError) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      // The file opens like any other; only reading it fails.
      case EISDIR: throw InputError(path: path, .isDirectory)
      case EAGAIN: waitForInput(descriptor)
      case let code: throw InputError(path: path, .cannotRead(offset: offset, code: code))
      }
    }
  }

  /// Somebody left standard input non-blocking (a shell after a crashed program): wait by poll(2).
  private func waitForInput(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, -1)
  }
}

// Free functions: inside the type, `open` and `read` would mean its own methods.

private func systemOpen(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, room.baseAddress, room.count)
}

/// The system's own words for an `errno`.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
