// SPDX-License-Identifier: Apache-2.0
#if LiveCapture
  internal import CPcap

  // The times of libpcap's headers are those of the C library.
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// An interface opened with libpcap. It knows nothing of threads or readers.
  final class CaptureHandle: @unchecked Sendable {
    enum Outcome {
      case packets
      /// `stop` was called.
      case stopped
      /// libpcap's message; no more packets will come.
      case failed(String)
    }

    /// How long the kernel buffers packets, in milliseconds: short enough to show messages at once,
    /// long enough to avoid a system call per packet.
    static let milliseconds: Int32 = 10

    /// LINKTYPE_ value of its packets.
    let linkType: UInt16
    /// Whether its clock counts nanoseconds; otherwise microseconds.
    let isNanoseconds: Bool
    /// libpcap's warning if packets come but a setting was not applied.
    let warning: String?
    private let pcap: tap_pcap
    private let handle: OpaquePointer
    /// The last counters, extended from the kernel's 32 bits.
    private var seen = CaptureStatistics()

    init(_ name: String, _ settings: CaptureSettings) throws(CaptureError) {
      pcap = try Libpcap.functions()
      var buffer = [CChar](repeating: 0, count: Libpcap.errorBytes)
      guard let handle = pcap.create(name, &buffer) else {
        throw .refused(name, detail: text(buffer))
      }
      self.handle = handle
      _ = pcap.set_snaplen(handle, Int32(clamping: settings.snaplen))
      // 'any' does not support promiscuous mode.
      _ = pcap.set_promisc(handle, settings.isPromiscuous && name != "any" ? 1 : 0)
      _ = pcap.set_timeout(handle, Self.milliseconds)
      _ = pcap.set_buffer_size(handle, Int32(clamping: settings.bufferBytes))
      isNanoseconds = pcap.set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO) == 0
      let status = pcap.activate(handle)
      let words = Self.words(status, pcap, handle)
      if status < 0 {
        pcap.close(handle)
        throw Self.error(status, name, words)
      }
      warning = status > 0 ? words : nil
      linkType = Self.linkType(pcap.datalink(handle))
      // From here on, `deinit` closes the handle.
      if let problem = Self.setFilter(settings.filter, pcap, handle) {
        throw .badFilter(settings.filter, detail: problem)
      }
    }

    deinit { pcap.close(handle) }

    /// Waits for packets and passes all of them on.
    func dispatch(to source: LiveSource) -> Outcome {
      let count = pcap.dispatch(
        handle, -1,
        { user, header, bytes in
          let source = Unmanaged<LiveSource>.fromOpaque(UnsafeRawPointer(user!))
          let header = header!.pointee
          source._withUnsafeGuaranteedRef {
            $0.receive(
              UnsafeRawBufferPointer(start: bytes, count: Int(header.caplen)),
              seconds: UInt32(truncatingIfNeeded: header.ts.tv_sec),
              fraction: UInt32(truncatingIfNeeded: header.ts.tv_usec), original: header.len)
          }
        }, Unmanaged.passUnretained(source).toOpaque().assumingMemoryBound(to: UInt8.self))
      if count >= 0 { return .packets }
      if count == PCAP_ERROR_BREAK { return .stopped }
      return .failed(text(pcap.geterr(handle)))
    }

    /// Makes `dispatch` return; callable from any thread.
    func stop() { pcap.breakloop(handle) }

    /// From now on, `dispatch` passes on available packets without waiting.
    func waitNoLonger() {
      var buffer = [CChar](repeating: 0, count: Libpcap.errorBytes)
      _ = pcap.setnonblock(handle, 1, &buffer)
    }

    /// The kernel's counters.
    func statistics() -> CaptureStatistics {
      var now = pcap_stat()
      guard pcap.stats(handle, &now) == 0 else { return seen }
      Self.advance(&seen.received, now.ps_recv)
      Self.advance(&seen.droppedByKernel, now.ps_drop)
      Self.advance(&seen.droppedByInterface, now.ps_ifdrop)
      return seen
    }

    /// 32-bit counters wrap around after some hours.
    static func advance(_ total: inout UInt64, _ counter: UInt32) {
      total &+= UInt64(counter &- UInt32(truncatingIfNeeded: total))
    }

    private static func setFilter(
      _ expression: String, _ pcap: tap_pcap, _ handle: OpaquePointer
    ) -> String? {
      if expression.isEmpty { return nil }
      var program = bpf_program()
      // The netmask is needed only for 'ip broadcast', and is not known for every interface.
      guard pcap.compile(handle, &program, expression, 1, bpf_u_int32.max) == 0 else {
        return text(pcap.geterr(handle))
      }
      defer { pcap.freecode(&program) }
      return pcap.setfilter(handle, &program) == 0 ? nil : text(pcap.geterr(handle))
    }

    /// libpcap's message for a status, the specific one if there is any.
    private static func words(
      _ status: Int32, _ pcap: tap_pcap, _ handle: OpaquePointer
    ) -> String {
      let particular = text(pcap.geterr(handle))
      return particular.isEmpty ? text(pcap.statustostr(status)) : particular
    }

    private static func error(
      _ status: Int32, _ name: String, _ words: String
    ) -> CaptureError {
      switch status {
      case PCAP_ERROR_NO_SUCH_DEVICE:
        let existing = (try? NetworkInterface.all()) ?? []
        // An existing interface was refused for another reason.
        if existing.contains(where: { $0.name == name }) { return .refused(name, detail: words) }
        return .noSuchInterface(name, existing: existing.map(\.name))
      case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
        return .notPermitted(name, detail: words)
      default: return .refused(name, detail: words)
      }
    }

    /// The LINKTYPE_ value in files for a DLT_ value that differs.
    private static func linkType(_ number: Int32) -> UInt16 {
      #if os(OpenBSD)
        let raw: Int32 = 14
      #else
        let raw: Int32 = 12
      #endif
      return number == raw ? 101 : UInt16(truncatingIfNeeded: number)
    }
  }
#else
  /// A stub for builds without live capture.
  struct CaptureHandle: Sendable {
    enum Outcome {
      case packets, stopped
      case failed(String)
    }

    static let milliseconds: Int32 = 10
    private let absence: Never
    var linkType: UInt16 { switch absence {} }
    var isNanoseconds: Bool { switch absence {} }
    var warning: String? { switch absence {} }

    init(_: String, _: CaptureSettings) throws(CaptureError) { throw .notBuilt }

    func dispatch(to _: LiveSource) -> Outcome { switch absence {} }
    func stop() { switch absence {} }
    func waitNoLonger() { switch absence {} }
    func statistics() -> CaptureStatistics { switch absence {} }
  }
#endif
