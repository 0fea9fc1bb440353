// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A buffered output file.
struct OutputFile {
  struct Failure: Error { var path: String }

  private static let threshold = 1 << 20
  /// The bytes that were not written yet.
  var buffer: [UInt8] = []
  private let descriptor: Int32
  private let path: String
  private var failed = false

  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw Failure(path: path) }
    buffer.reserveCapacity(Self.threshold + 70_000)
  }

  /// Must be called after each record.
  mutating func flushIfFull() {
    if buffer.count >= Self.threshold { flush() }
  }

  private mutating func flush() {
    var done = 0
    while done < buffer.count && !failed {
      let count = buffer.withUnsafeBytes { all in
        write(descriptor, all.baseAddress! + done, all.count - done)
      }
      if count > 0 { done += count } else if errno != EINTR { failed = true }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  mutating func finish() throws {
    flush()
    if close(descriptor) != 0 || failed { throw Failure(path: path) }
  }
}
