// SPDX-License-Identifier: Apache-2.0
import TapBytes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where rendered text goes: standard output, or a file that gets its name only when it is
/// complete.
struct Output {
  enum Failure: Error {
    /// The reader has gone away: a quiet success.
    case brokenPipe
    case cannotWrite(path: String, reason: String)
    /// The evidence would be replaced by what is written.
    case isInput(path: String)
  }

  /// Text is written when this much has gathered.
  static let threshold = 64 << 10

  private let descriptor: Int32
  private let path: String?
  /// The file under its temporary name; nil when there is none to rename.
  private let partial: String?

  /// - Parameter inputs: names of the files that are read; none of them may be written.
  init(path: String?, inputs: [String]) throws {
    self.path = path
    guard let path else {
      (descriptor, partial) = (1, nil)
      return
    }
    var status = stat()
    for input in inputs where input != "-" {
      var other = stat()
      if stat(path, &status) == 0, stat(input, &other) == 0, status.st_ino == other.st_ino,
        status.st_dev == other.st_dev, status.st_mode & S_IFMT == S_IFREG
      {
        throw Failure.isInput(path: path)
      }
    }
    // A device or a pipe is written to as it is: only regular files can be replaced.
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    partial = isSpecial ? nil : path + ".part"
    descriptor = open(partial ?? path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if descriptor < 0 {
      throw Failure.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Writes everything out and empties the buffer.
  func flush(_ text: inout TextBuffer) throws {
    var done = 0
    while done < text.count {
      let count = text.bytes.dropping(done).withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw Failure.brokenPipe }
        throw Failure.cannotWrite(
          path: path ?? "standard output", reason: String(cString: strerror(errno)))
      }
      done += count
    }
    text.removeAll()
  }

  /// Everything was written: gives the file its name.
  func close() throws {
    guard let path, descriptor > 2 else { return }
    let hasFailed = systemClose(descriptor) != 0
    if let partial, hasFailed || rename(partial, path) != 0 {
      throw Failure.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Something went wrong: nothing half-written stays.
  func discard() {
    if let partial {
      _ = systemClose(descriptor)
      unlink(partial)
    }
  }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
  close(descriptor)
}
