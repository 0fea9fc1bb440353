// SPDX-License-Identifier: Apache-2.0

/// How an interface is captured.
public struct CaptureSettings: Sendable {
  /// Bytes that are kept of a packet.
  public var snaplen = 262_144
  /// Whether packets for others are captured, too.
  public var isPromiscuous = true
  /// Bytes of the kernel's buffer. libpcap's own 2 MiB are 20 ms of a fast network.
  public var bufferBytes = 16 << 20
  /// What is captured, in the language of pcap-filter(7); empty for everything.
  public var filter = ""
  /// Bytes that may wait for being decoded before packets are dropped.
  public var waitingBytes = 64 << 20

  public init() {}
}
