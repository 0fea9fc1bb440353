// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TapBytes

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Keeps packets as a pcapng file while they are decoded, or as several of them by turns. Any
/// thread may give it packets.
public final class CaptureFile: Sendable {
  /// What the packets of an interface have in common.
  public struct Interface: Sendable, Equatable {
    public var name: String
    /// In the language of pcap-filter(7); empty for none.
    public var filter: String
    /// LINKTYPE_ value.
    public var linkType: UInt16
    public var snaplen: UInt32
    /// Decimal digits of a second that its clock has.
    public var precision: UInt8

    public init(
      name: String, filter: String, linkType: UInt16, snaplen: UInt32, precision: UInt8
    ) {
      (self.name, self.filter, self.linkType) = (name, filter, linkType)
      (self.snaplen, self.precision) = (snaplen, precision)
    }
  }

  /// When the next file is begun. It is begun when a packet comes.
  public struct Rotation: Sendable {
    /// Once a file has so many octets.
    public var bytes: UInt64?
    /// After so many seconds; the name then has conversions of strftime(3).
    public var seconds: Int64?
    /// With `seconds`, files after which no more is kept; otherwise those after which the first is
    /// written over.
    public var files: Int?

    public init() {}
  }

  public enum Failure: Error, Equatable, Sendable {
    /// The reader has gone away.
    case brokenPipe
    case cannotWrite(path: String, reason: String)
    /// What is read would be written over.
    case isInput(path: String)
  }

  private struct State {
    var names: CaptureFileNames
    var writer = PcapngWriter()
    var interfaces: [Interface] = []
    var descriptor: Int32 = -1
    /// Octets of this file.
    var written: UInt64 = 0
    var packets: UInt64 = 0
    var lastTime: UInt64 = 0
    /// Files since the beginning.
    var files = 1
    var failure: Failure?
    var isComplete = false
  }

  /// Octets that gather before they are written, when packets come in great numbers.
  private static let threshold = 64 << 10

  private let state: Mutex<State>
  /// As the user named it; `-` is standard output.
  private let path: String
  private let rotation: Rotation
  private let program: String

  /// Opens the first file.
  ///
  /// - Parameter program: what writes the file, by name and version.
  public init(_ path: String, _ rotation: Rotation, program: String) throws(Failure) {
    (self.path, self.rotation, self.program) = (path, rotation, program)
    var first = State(names: CaptureFileNames(path, rotation, now: Int64(time(nil))))
    if path == "-" {
      first.descriptor = STDOUT_FILENO
    } else {
      first.descriptor = try Self.open(first.names.current)
    }
    first.writer.section(by: program)
    state = Mutex(first)
  }

  /// Why nothing is kept any more.
  public var failure: Failure? { state.withLock { $0.failure } }

  /// Nothing more is kept: as many files as were asked for are full, or something went wrong.
  public var isOver: Bool { state.withLock { $0.isComplete || $0.failure != nil } }

  public var packets: UInt64 { state.withLock { $0.packets } }

  /// Packets of one more interface will come.
  ///
  /// - Returns: its number.
  public func addInterface(_ interface: Interface) -> Int {
    state.withLock { state in
      state.interfaces.append(interface)
      state.writer.interface(interface)
      return state.interfaces.count - 1
    }
  }

  public func packet(
    _ octets: UnsafeRawBufferPointer, interface: Int, seconds: UInt32, fraction: UInt32,
    original: UInt32
  ) {
    state.withLock { state in
      if state.failure != nil || state.isComplete { return }
      turn(&state)
      if state.isComplete { return }
      let unit: UInt64 = state.interfaces[interface].precision == 9 ? 1_000_000_000 : 1_000_000
      state.lastTime = UInt64(seconds) * unit + UInt64(fraction)
      state.writer.packet(
        octets, interface: interface, time: state.lastTime, original: original)
      state.packets &+= 1
      if state.writer.buffer.count >= Self.threshold { Self.flush(&state, path) }
    }
  }

  /// Writes out what has gathered.
  public func flush() { state.withLock { Self.flush(&$0, path) } }

  /// The end: what became of the packets of each interface is kept, too, where that is known.
  public func close(_ statistics: [CaptureStatistics]) {
    state.withLock { state in
      for (number, one) in statistics.enumerated() where number < state.interfaces.count {
        state.writer.statistics(one, interface: number, time: state.lastTime)
      }
      finish(&state)
    }
  }

  /// Begins the next file where it is time to.
  private func turn(_ state: inout State) {
    if let seconds = rotation.seconds {
      let now = Int64(time(nil))
      if now - state.names.begin >= seconds {
        if let most = rotation.files, rotation.bytes == nil, state.files >= most {
          state.isComplete = true
          return
        }
        state.names.advance(to: now)
        return begin(&state)
      }
    }
    if let bytes = rotation.bytes,
      state.written + UInt64(state.writer.buffer.count) > bytes
    {
      state.names.advance()
      begin(&state)
    }
  }

  private func begin(_ state: inout State) {
    finish(&state)
    if state.failure != nil { return }
    do {
      state.descriptor = try Self.open(state.names.current)
    } catch {
      state.failure = error
      return
    }
    (state.written, state.files) = (0, state.files + 1)
    state.writer.section(by: program)
    for interface in state.interfaces { state.writer.interface(interface) }
  }

  private func finish(_ state: inout State) {
    Self.flush(&state, path)
    guard state.descriptor >= 0 else { return }
    // Some file systems tell only now that there was no room.
    if path != "-" && systemClose(state.descriptor) != 0 && state.failure == nil {
      state.failure = Self.failure(path)
    }
    state.descriptor = -1
  }

  private static func flush(_ state: inout State, _ path: String) {
    defer { state.writer.removeAll() }
    if state.failure != nil || state.descriptor < 0 { return }
    let count = state.writer.buffer.count
    if let failure = write(state.writer.buffer.bytes, to: state.descriptor, path) {
      state.failure = failure
    } else {
      state.written += UInt64(count)
    }
  }

  /// All of it, or why not.
  private static func write(_ bytes: RawSpan, to descriptor: Int32, _ path: String) -> Failure? {
    var done = 0
    while done < bytes.byteCount {
      let rest = bytes.extracting(done..<bytes.byteCount)
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        return errno == EPIPE ? .brokenPipe : failure(path)
      }
    }
    return nil
  }

  /// Opens a file to be written from its beginning, unless it is what standard input reads.
  private static func open(_ path: String) throws(Failure) -> Int32 {
    let descriptor = systemOpen(path)
    if descriptor < 0 { throw failure(path) }
    var (own, input) = (stat(), stat())
    if fstat(descriptor, &own) == 0 && own.st_mode & S_IFMT == S_IFREG {
      if fstat(STDIN_FILENO, &input) == 0 && own.st_ino == input.st_ino
        && own.st_dev == input.st_dev
      {
        _ = systemClose(descriptor)
        throw .isInput(path: path)
      }
      if ftruncate(descriptor, 0) != 0 { throw failure(path) }
    }
    return descriptor
  }

  private static func failure(_ path: String) -> Failure {
    .cannotWrite(path: path == "-" ? "standard output" : path, reason: systemText(errno))
  }
}

private func systemOpen(_ path: String) -> Int32 {
  open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
