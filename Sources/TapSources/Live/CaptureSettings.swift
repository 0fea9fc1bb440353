// SPDX-License-Identifier: Apache-2.0

/// How an interface is captured.
public struct CaptureSettings: Sendable {
  /// How many bytes of a packet are kept.
  public var snaplen = 262_144
  /// Whether to capture packets to other hosts too.
  public var isPromiscuous = true
  /// The size of the kernel's buffer in bytes. libpcap's default of 2 MiB lasts 20 ms on a fast
  /// network.
  public var bufferBytes = 16 << 20
  /// The capture filter in the syntax of pcap-filter(7); empty for everything.
  public var filter = ""
  /// How many bytes may wait to be decoded before packets are dropped.
  public var waitingBytes = 64 << 20

  public init() {}
}
