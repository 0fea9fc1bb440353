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
    /// Once a file has so many bytes.
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
    /// For the next files: each has to be readable by itself.
    var secrets: [[UInt8]] = []
    var secretBytes = 0
    /// Bytes of secrets that the next files lack.
    var omittedSecretBytes = 0
    var descriptor: Int32 = -1
    /// What writes may wait for somebody: no regular file.
    var mayStall = false
    /// Bytes of this file.
    var written: UInt64 = 0
    var lastTime: UInt64 = 0
    /// Files since the beginning.
    var files = 1
    var failure: Failure?
    var isComplete = false
  }

  /// Bytes that gather before they are written, when packets come in great numbers.
  private static let threshold = 64 << 10
  /// Bytes of secrets that the next files have, too; more are in the file alone where they came.
  private let mostSecretBytes: Int

  private let state: Mutex<State>
  /// What others ask while a write takes its time.
  private let over = Atomic(false)
  private let hurries = Atomic(false)
  private let count = Atomic<UInt64>(0)
  /// As the user named it; `-` is standard output.
  private let path: String
  private let rotation: Rotation
  private let program: String
  /// What must not be written over.
  private let inputs: [FileIdentity]

  /// Opens the first file.
  ///
  /// - Parameters:
  ///   - program: what writes the file, by name and version.
  ///   - inputs: files that are read, beside standard input.
  ///   - mostSecretBytes: bytes of secrets that the next files have, too.
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

  /// Why nothing is kept any more.
  public var failure: Failure? { state.withLock { $0.failure } }

  /// Bytes of TLS secrets that stand in one file only, as there are too many for each.
  public var omittedSecretBytes: Int { state.withLock { $0.omittedSecretBytes } }

  /// Whether this is the file that is written now, by whatever name.
  public func isAt(_ path: String) -> Bool {
    guard let named = FileIdentity(path: path) else { return false }
    return state.withLock { FileIdentity($0.descriptor) == named }
  }

  /// Nothing more is kept: as many files as were asked for are full, or something went wrong.
  public var isOver: Bool { over.load(ordering: .relaxed) }

  public var packets: UInt64 { count.load(ordering: .relaxed) }

  /// The end is near: a reader that has stopped is not waited for much longer.
  public func hurry() { hurries.store(true, ordering: .relaxed) }

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

  /// - Parameter comment: of the packet, in UTF-8; empty for none.
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

  /// Secrets of TLS that packets behind them may need.
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

  /// Writes out what has gathered.
  public func flush() { state.withLock { flush(&$0) } }

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
    // Some file systems tell only now that there was no room.
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

  /// All of it, or why not.
  private func write(
    _ bytes: RawSpan, to descriptor: Int32, mayStall: Bool
  ) -> Failure? {
    var done = 0
    while done < bytes.byteCount {
      if mayStall && !isReady(descriptor) {
        return .cannotWrite(path: path, reason: "the reader has closed it")
      }
      // So much never waits once there is room (POSIX, write).
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

  /// What a pipe that is ready takes without a wait: PIPE_BUF.
  #if canImport(Darwin)
    private static let atomicBytes = 512
  #else
    private static let atomicBytes = 4096
  #endif

  /// Waits for room in a pipe; answers false when there is none for a second and the end is near.
  private func isReady(_ descriptor: Int32) -> Bool {
    var left = 10
    while left > 0 {
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&entry, 1, 100) != 0 { return true }
      if hurries.load(ordering: .relaxed) { left -= 1 }
    }
    return false
  }

  /// Opens a file to be written from its beginning, unless it is one that is read.
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
      // Packets have passwords in them. Whose file it was may have no right to change that.
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
