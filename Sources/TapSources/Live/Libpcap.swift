// SPDX-License-Identifier: Apache-2.0
#if LiveCapture
  internal import CPcap
  internal import TapLibraries

  /// The functions of libpcap, loaded when first needed, so that reading files neither needs nor
  /// loads it.
  struct Libpcap: @unchecked Sendable {
    /// The size of the error buffer (`PCAP_ERRBUF_SIZE`).
    static let errorBytes = Int(PCAP_ERRBUF_SIZE)

    /// The functions, named without `pcap_`.
    let functions: tap_pcap

    private static let loaded: Libpcap? = SharedLibrary.libpcap.load(tap_pcap()) {
      tap_pcap_find(&$0, $1) != 0
    }.map { Libpcap(functions: $0) }

    static func functions() throws(CaptureError) -> tap_pcap {
      guard let loaded else { throw .noLibrary }
      return loaded.functions
    }

    /// `libpcap version 1.10.3 (with TPACKET_V3)`; nil when it is not installed.
    static var version: String? {
      loaded.flatMap { $0.functions.lib_version() }.map { String(cString: $0) }
    }
  }

  /// A message of libpcap as a string.
  func text(_ words: UnsafePointer<CChar>?) -> String { words.map { String(cString: $0) } ?? "" }

  /// The content of libpcap's error buffer.
  func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
#endif
