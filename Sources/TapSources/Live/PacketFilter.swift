// SPDX-License-Identifier: Apache-2.0
#if LiveCapture
  internal import CPcap
#endif

/// A capture filter, pcap-filter(7), for packets from files. libpcap compiles it for each link
/// type, and runs it.
public final class PacketFilter {
  private let expression: String

  #if LiveCapture
    private let pcap: tap_pcap
    /// By LINKTYPE_ value.
    private var programs: [UInt16: bpf_program] = [:]
    /// Link types for which the expression is not valid, and why.
    private var failures: [UInt16: CaptureError] = [:]
    private var last: (linkType: UInt16, program: bpf_program)?

    /// - Throws: `CaptureError` when the expression is not valid for Ethernet.
    public init(_ expression: String) throws(CaptureError) {
      self.expression = expression
      pcap = try Libpcap.functions()
      _ = try program(for: 1)
    }

    deinit { for var program in programs.values { pcap.freecode(&program) } }

    /// - Throws: `CaptureError` when the expression is not valid for the link type.
    public func matches(
      _ bytes: RawSpan, linkType: UInt16, originalLength: UInt32
    ) throws(CaptureError) -> Bool {
      if last?.linkType != linkType { last = (linkType, try program(for: linkType)) }
      var header = pcap_pkthdr()
      header.caplen = bpf_u_int32(clamping: bytes.byteCount)
      header.len = max(originalLength, header.caplen)
      return bytes.withUnsafeBytes { raw in
        pcap.offline_filter(
          &last!.program, &header, raw.baseAddress?.assumingMemoryBound(to: UInt8.self)) != 0
      }
    }

    private func program(for linkType: UInt16) throws(CaptureError) -> bpf_program {
      if let known = programs[linkType] { return known }
      if let failure = failures[linkType] { throw failure }
      do {
        let program = try compile(for: linkType)
        programs[linkType] = program
        return program
      } catch {
        failures[linkType] = error
        throw error
      }
    }

    private func compile(for linkType: UInt16) throws(CaptureError) -> bpf_program {
      // Raw IP is LINKTYPE_ 101, but DLT_ 12.
      let number = linkType == 101 ? 12 : Int32(linkType)
      guard let dead = pcap.open_dead(number, Int32(CaptureSettings().snaplen)) else {
        throw .badFilter(expression, detail: "link type \(linkType) cannot be filtered")
      }
      defer { pcap.close(dead) }
      var program = bpf_program()
      guard pcap.compile(dead, &program, expression, 1, bpf_u_int32.max) == 0 else {
        throw .badFilter(expression, detail: text(pcap.geterr(dead)))
      }
      return program
    }
  #else
    public init(_: String) throws(CaptureError) { throw .notBuilt }

    public func matches(
      _: RawSpan, linkType _: UInt16, originalLength _: UInt32
    ) throws(CaptureError) -> Bool { throw .notBuilt }
  #endif
}
