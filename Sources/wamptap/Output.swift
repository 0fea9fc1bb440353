// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapSources

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
    case noName
    /// A signal came, or the time was over, before anybody opened the pipe for reading.
    case unread(path: String)
  }

  /// Text is written when this much has gathered.
  static let threshold = 64 << 10

  private let descriptor: Int32
  /// As the user named it; nil for standard output.
  private let path: String?
  /// The file under its temporary name, and what it is to be called; nil when there is none to
  /// rename.
  private let partial: (path: String, final: String)?
  /// When nobody reads it any more, the run goes on, as there is more to its end than text.
  private let outlivesReader: Bool

  /// - Parameters:
  ///   - path: nil and `-` are standard output.
  ///   - inputs: names of the files that are read; none of them may be written.
  ///   - isPrivate: nobody but the user may read what is written.
  ///   - outlivesReader: text that nobody reads is dropped instead of ending the run.
  init(
    path: String?, inputs: [String], isPrivate: Bool = false, outlivesReader: Bool = false
  ) throws(Failure) {
    self.outlivesReader = outlivesReader
    guard let path, path != "-" else {
      (self.path, descriptor, partial) = (nil, 1, nil)
      return
    }
    if path.isEmpty { throw .noName }
    self.path = path
    var status = stat()
    let exists = stat(FileName.system(path), &status) == 0
    // A device or a pipe is written to as it is: only regular files can be replaced.
    let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
    if isSpecial {
      partial = nil
      descriptor = try Self.openSpecial(path)
    } else {
      if exists && inputs.contains(where: { Self.isSame($0, status) }) {
        throw .isInput(path: path)
      }
      // The file itself is replaced, not a link to it.
      let final = Self.resolved(path) ?? path
      let temporary = "\(final).\(getpid()).part"
      partial = (temporary, final)
      let mode = isPrivate ? 0o600 : exists ? status.st_mode & 0o777 : 0o644
      descriptor = open(
        FileName.system(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
    if descriptor < 0 { throw Self.failure(path) }
  }

  /// Prints a text that is the whole output of the program.
  static func show(_ text: String) throws {
    var buffer = TextBuffer(capacity: text.utf8.count)
    buffer.append(text)
    try show(&buffer)
  }

  static func show(_ text: inout TextBuffer) throws {
    Terminal.ignoreBrokenPipes()
    do {
      try Output(path: nil, inputs: []).flush(&text)
    } catch Failure.cannotWrite(let path, let reason) {
      Terminal.report("\(path): cannot be written: \(reason)")
      throw ExitCode(2)
    } catch Failure.brokenPipe {
    }
  }

  /// Whether the output would replace the file in which packets are kept.
  func isReplaced(by file: CaptureFile?) -> Bool {
    guard let partial, let file else { return false }
    return file.isAt(partial.final)
  }

  /// Milliseconds between two attempts to open a pipe that nobody reads yet.
  private static let pause: Int32 = 50

  /// Opens a device or a pipe. A pipe waits for a reader, until a signal comes or the time is over.
  private static func openSpecial(_ path: String) throws(Failure) -> Int32 {
    while true {
      let descriptor = open(FileName.system(path), O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        Interruption.answer()
        return descriptor
      }
      guard errno == ENXIO || errno == EINTR else { return descriptor }
      if Interruption.isOver { throw .unread(path: path) }
      Interruption.wait(milliseconds: pause)
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
        switch errno {
        case EINTR: continue
        case EAGAIN: waitForRoom()
        case EPIPE where outlivesReader:
          text.removeAll()
          return
        case EPIPE: throw Failure.brokenPipe
        default: throw Self.failure(path)
        }
      } else {
        done += count
      }
    }
    text.removeAll()
  }

  /// Everything was written: gives the file its name.
  func close() throws {
    // Some file systems report only now that there was no room. Of standard output a duplicate is
    // closed, as packets may follow, and its number must not become that of another file.
    let closed = path == nil ? dup(descriptor) : descriptor
    if systemClose(closed) != 0 && !(path == nil && errno == EBADF) {
      throw Self.failure(path)
    }
    guard let partial else { return }
    if rename(FileName.system(partial.path), FileName.system(partial.final)) != 0 {
      throw Self.failure(path)
    }
  }

  /// Something went wrong: nothing half-written stays.
  func discard() {
    guard let partial else { return }
    _ = systemClose(descriptor)
    unlink(FileName.system(partial.path))
  }

  /// Somebody made the terminal or the pipe non-blocking: wait by poll(2).
  private func waitForRoom() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  private static func isSame(_ input: String, _ status: stat) -> Bool {
    var other = stat()
    let isThere = input == "-" ? fstat(0, &other) == 0 : stat(FileName.system(input), &other) == 0
    return isThere && other.st_ino == status.st_ino && other.st_dev == status.st_dev
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(FileName.system(path), nil) else { return nil }
    defer { free(resolved) }
    return FileName.text(resolved)
  }

  private static func failure(_ path: String?) -> Failure {
    .cannotWrite(path: path ?? "standard output", reason: String(cString: strerror(errno)))
  }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
  close(descriptor)
}
