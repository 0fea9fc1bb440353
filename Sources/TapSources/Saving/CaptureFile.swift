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

/// Writes packets to a pcapng file, or to several in rotation, while they are decoded. Any thread
/// may add packets.
public final class CaptureFile: Sendable {
  /// The properties of an interface.
  public struct Interface: Sendable, Equatable {
    public var name: String
    /// In the syntax of pcap-filter(7); empty for none.
    public var filter: String
    /// LINKTYPE_ value.
    public var linkType: UInt16
    public var snaplen: UInt32
    /// The decimal digits of its clock's second.
    public var precision: UInt8

    public init(
      name: String, filter: String, linkType: UInt16, snaplen: UInt32, precision: UInt8
    ) {
      (self.name, self.filter, self.linkType) = (name, filter, linkType)
      (self.snaplen, self.precision) = (snaplen, precision)
    }
  }

  /// When the next file begins, which is at the next packet.
  public struct Rotation: Sendable {
    /// The size in bytes after which the next file begins.
    public var bytes: UInt64?
    /// The time in seconds after which the next file begins; the name then has conversions of
    /// strftime(3).
    public var seconds: Int64?
    /// With `seconds`, the number of files after which writing stops; otherwise the number after
    /// which the first is overwritten.
    public var files: Int?

    public init() {}
  }

  public enum Failure: Error, Equatable, Sendable {
    /// The reader has gone away.
    case brokenPipe
    case cannotWrite(path: String, reason: String)
    /// It would overwrite an input.
    case isInput(path: String)
  }

  private struct State {
    var names: CaptureFileNames
    var writer = PcapngWriter()
    var interfaces: [Interface] = []
    /// TLS secrets for the next files, as each must be readable by itself.
    var secrets: [[UInt8]] = []
    var secretBytes = 0
    /// How many bytes of secrets the next files lack.
    var omittedSecretBytes = 0
    var descriptor: Int32 = -1
    /// It is not a regular file, so writes may block.
    var mayStall = false
    /// The size of this file in bytes.
    var written: UInt64 = 0
    var lastTime: UInt64 = 0
    /// The number of files so far.
    var files = 1
    var failure: Failure?
    var isComplete = false
  }

  /// How many bytes to buffer before writing, at high packet rates.
  private static let threshold = 64 << 10
  /// The limit of secrets repeated in the next files, in bytes; more are only in the file where
  /// they came.
  private let mostSecretBytes: Int

  private let state: Mutex<State>
  /// Atomic, as they are read while a write may block.
  private let over = Atomic(false)
  private let hurries = Atomic(false)
  private let count = Atomic<UInt64>(0)
  /// As the user named it; `-` is standard output.
  private let path: String
  private let rotation: Rotation
  private let program: String
  /// Files that must not be overwritten.
  private let inputs: [FileIdentity]

  /// Opens the first file.
  ///
  /// - Parameters:
  ///   - program: the writing program's name and version.
  ///   - inputs: input files besides standard input.
  ///   - mostSecretBytes: the limit of secrets repeated in the next files, in bytes.
  public init(
    _ path: String, _ rotation: Rotation, program: String, inputs: [String] = [],
    mostSecretBytes: Int = .max
  ) throws(Failure) {
    (self.path, self.rotation, self.program) = (path, rotation, program)
    self.mostSecretBytes = mostSecretBytes
    self.inputs =
      inputs.compactMap { FileIdentity(path: $0) } + [FileIdentity(STDIN_FILENO)].compactMap { $0 }
    var first = State(names: CaptureFileNames(path, rotation, now: Int64(time(nil))))
    if path == "-" {
      first.descriptor = STDOUT_FILENO
    } else {
      first.descriptor = try Self.open(first.names.current, besides: self.inputs)
    }
    first.mayStall = FileIdentity(first.descriptor) == nil
    first.writer.section(by: program)
    state = Mutex(first)
  }

  /// Why writing has stopped.
  public var failure: Failure? { state.withLock { $0.failure } }

  /// How many bytes of TLS secrets are in one file only, as the limit was exceeded.
  public var omittedSecretBytes: Int { state.withLock { $0.omittedSecretBytes } }

  /// Whether this path is the current file, by any name.
  public func isAt(_ path: String) -> Bool {
    guard let named = FileIdentity(path: path) else { return false }
    return state.withLock { FileIdentity($0.descriptor) == named }
  }

  /// Writing has ended: the requested number of files is complete, or it failed.
  public var isOver: Bool { over.load(ordering: .relaxed) }

  public var packets: UInt64 { count.load(ordering: .relaxed) }

  /// The program will end soon: do not wait long for a stalled reader.
  public func hurry() { hurries.store(true, ordering: .relaxed) }

  /// Adds an interface.
  ///
  /// - Returns: its number.
  public func addInterface(_ interface: Interface) -> Int {
    state.withLock { state in
      state.interfaces.append(interface)
      state.writer.interface(interface)
      return state.interfaces.count - 1
    }
  }

  /// - Parameter comment: the packet's comment, in UTF-8; empty for none.
  public func packet(
    _ octets: UnsafeRawBufferPointer, interface: Int, seconds: UInt32, fraction: UInt32,
    original: UInt32, comment: [UInt8] = []
  ) {
    state.withLock { state in
      if state.failure != nil || state.isComplete { return }
      turn(&state)
      note(state)
      if state.isComplete { return }
      let unit: UInt64 = state.interfaces[interface].precision == 9 ? 1_000_000_000 : 1_000_000
      state.lastTime = UInt64(seconds) * unit + UInt64(fraction)
      state.writer.packet(
        octets, interface: interface, time: state.lastTime, original: original, comment: comment)
      count.wrappingAdd(1, ordering: .relaxed)
      if state.writer.buffer.count >= Self.threshold { flush(&state) }
    }
  }

  /// Writes TLS secrets that later packets may need.
  public func secrets(_ keyLog: UnsafeRawBufferPointer) {
    state.withLock { state in
      if state.failure != nil || state.isComplete { return }
      state.writer.secrets(keyLog)
      let isKept = rotation.bytes != nil || rotation.seconds != nil
      if !isKept { return }
      if state.secretBytes + keyLog.count > mostSecretBytes {
        state.omittedSecretBytes += keyLog.count
        return
      }
      state.secrets.append(Array(keyLog))
      state.secretBytes += keyLog.count
    }
  }

  /// Writes the buffered bytes.
  public func flush() { state.withLock { flush(&$0) } }

  /// Ends the file, with the packet counts of each interface if known.
  public func close(_ statistics: [CaptureStatistics]) {
    state.withLock { state in
      for (number, one) in statistics.enumerated() where number < state.interfaces.count {
        state.writer.statistics(one, interface: number, time: state.lastTime)
      }
      finish(&state)
    }
  }

  /// Begins the next file if it is due.
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
      state.descriptor = try Self.open(state.names.current, besides: inputs)
    } catch {
      state.failure = error
      return
    }
    (state.written, state.files) = (0, state.files + 1)
    state.writer.section(by: program)
    for interface in state.interfaces { state.writer.interface(interface) }
    for keyLog in state.secrets { keyLog.withUnsafeBytes { state.writer.secrets($0) } }
  }

  private func note(_ state: State) {
    if state.isComplete || state.failure != nil { over.store(true, ordering: .relaxed) }
  }

  private func finish(_ state: inout State) {
    flush(&state)
    guard state.descriptor >= 0 else { return }
    // Some file systems report a full disk only at close.
    if path != "-" && systemClose(state.descriptor) != 0 && state.failure == nil {
      state.failure = Self.failure(path)
    }
    state.descriptor = -1
  }

  private func flush(_ state: inout State) {
    defer { state.writer.removeAll() }
    if state.failure != nil || state.descriptor < 0 { return }
    let count = state.writer.buffer.count
    let failure = write(
      state.writer.buffer.bytes, to: state.descriptor, mayStall: state.mayStall)
    if let failure {
      state.failure = failure
      note(state)
    } else {
      state.written += UInt64(count)
    }
  }

  /// Writes all bytes; returns the failure, if any.
  private func write(
    _ bytes: RawSpan, to descriptor: Int32, mayStall: Bool
  ) -> Failure? {
    var done = 0
    while done < bytes.byteCount {
      if mayStall && !isReady(descriptor) {
        return .cannotWrite(path: path, reason: "the reader has closed it")
      }
      // This much never blocks once the pipe is ready (POSIX, write).
      let end = mayStall ? min(done + Self.atomicBytes, bytes.byteCount) : bytes.byteCount
      let rest = bytes.extracting(done..<end)
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        return errno == EPIPE ? .brokenPipe : Self.failure(path)
      }
    }
    return nil
  }

  /// PIPE_BUF: what a ready pipe accepts without blocking.
  #if canImport(Darwin)
    private static let atomicBytes = 512
  #else
    private static let atomicBytes = 4096
  #endif

  /// Waits for room in a pipe; false when there is none for a second and the program is about to
  /// end.
  private func isReady(_ descriptor: Int32) -> Bool {
    var left = 10
    while left > 0 {
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&entry, 1, 100) != 0 { return true }
      if hurries.load(ordering: .relaxed) { left -= 1 }
    }
    return false
  }

  /// Opens a file for writing from its beginning, unless it is an input.
  private static func open(
    _ path: String, besides inputs: [FileIdentity]
  ) throws(Failure) -> Int32 {
    let descriptor = systemOpen(path)
    if descriptor < 0 { throw failure(path) }
    if let own = FileIdentity(descriptor) {
      if inputs.contains(own) {
        _ = systemClose(descriptor)
        throw .isInput(path: path)
      }
      // Packets may contain passwords. Ignore failure, as the file may belong to another user.
      _ = fchmod(descriptor, 0o600)
      if ftruncate(descriptor, 0) != 0 { throw failure(path) }
    }
    return descriptor
  }

  private static func failure(_ path: String) -> Failure {
    .cannotWrite(path: path == "-" ? "standard output" : path, reason: systemText(errno))
  }
}

private func systemOpen(_ path: String) -> Int32 {
  open(FileName.system(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
