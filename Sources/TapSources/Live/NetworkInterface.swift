// SPDX-License-Identifier: Apache-2.0
#if LiveCapture
  internal import CPcap

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif
#endif

/// An interface that can be captured, as libpcap lists it.
public struct NetworkInterface: Sendable, Equatable {
  public var name: String
  /// The system's description; may be empty.
  public var details: String
  /// IPv4 and IPv6 addresses, as text.
  public var addresses: [String]
  public var isUp: Bool
  public var isRunning: Bool
  public var isLoopback: Bool
  public var isWireless: Bool

  /// The name and value of its link type, such as `EN10MB`. The interface must be opened for that.
  public func linkType() throws(CaptureError) -> (name: String, value: UInt16) {
    var settings = CaptureSettings()
    (settings.isPromiscuous, settings.bufferBytes) = (false, 1 << 16)
    let value = try CaptureHandle(name, settings).linkType
    return (Self.linkTypeName(value), value)
  }

  #if LiveCapture
    /// All interfaces, the most likely ones first.
    public static func all() throws(CaptureError) -> [NetworkInterface] {
      let pcap = try Libpcap.functions()
      var buffer = [CChar](repeating: 0, count: Libpcap.errorBytes)
      var first: UnsafeMutablePointer<pcap_if_t>?
      guard pcap.findalldevs(&first, &buffer) == 0 else {
        throw .refused("interfaces", detail: text(buffer))
      }
      defer { pcap.freealldevs(first) }
      var all: [NetworkInterface] = []
      var next = first
      while let entry = next?.pointee {
        all.append(NetworkInterface(entry))
        next = entry.next
      }
      return all
    }

    private init(_ entry: pcap_if_t) {
      name = String(cString: entry.name)
      details = entry.description.map { String(cString: $0) } ?? ""
      addresses = []
      let flags = Int32(bitPattern: entry.flags)
      isLoopback = flags & PCAP_IF_LOOPBACK != 0
      isUp = flags & PCAP_IF_UP != 0
      isRunning = flags & PCAP_IF_RUNNING != 0
      isWireless = flags & PCAP_IF_WIRELESS != 0
      var next = entry.addresses
      while let address = next?.pointee {
        if let text = Self.numeric(address.addr) { addresses.append(text) }
        next = address.next
      }
    }

    /// An IPv4 or IPv6 address; nil for others.
    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>?) -> String? {
      guard let address else { return nil }
      let family = Int32(address.pointee.sa_family)
      let length =
        family == AF_INET
        ? MemoryLayout<sockaddr_in>.size
        : family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : 0
      if length == 0 { return nil }
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let status = getnameinfo(
        address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      return status == 0 ? text(host) : nil
    }

    private static func linkTypeName(_ value: UInt16) -> String {
      let pcap = try? Libpcap.functions()
      let name = text(pcap?.datalink_val_to_name(Int32(value)))
      return name.isEmpty ? "\(value)" : name
    }

    /// `libpcap version 1.10.3 (with TPACKET_V3)`; nil when it cannot be loaded.
    public static var libraryVersion: String? { Libpcap.version }
  #else
    public static func all() throws(CaptureError) -> [NetworkInterface] { throw .notBuilt }

    private static func linkTypeName(_ value: UInt16) -> String { "\(value)" }

    public static var libraryVersion: String? { nil }
  #endif

  /// Whether the program was built with live capture.
  public static var canBeCaptured: Bool {
    #if LiveCapture
      true
    #else
      false
    #endif
  }
}
