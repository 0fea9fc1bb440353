// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes packets of Ethernet, IPv4 and TCP to a classic pcap file, as fast as the disk takes them.
struct PcapWriter {
  struct Failure: Error { var path: String }

  enum Flags {
    static let fin: UInt8 = 1
    static let syn: UInt8 = 2
    static let push: UInt8 = 8
    static let ack: UInt8 = 16
  }

  /// Who sends to whom; the address is 10.x.y.z.
  struct End {
    var address: UInt32
    var port: UInt16
  }

  private static let threshold = 1 << 20
  private let descriptor: Int32
  private let path: String
  private var buffer: [UInt8] = []
  /// Microseconds since 1970.
  private var clock: UInt64 = 1_760_000_000_000_000
  private var identification: UInt16 = 0
  private var failed = false

  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw Failure(path: path) }
    buffer.reserveCapacity(Self.threshold + 70_000)
    for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 262_144, 1] {
      buffer.append(little: word)
    }
  }

  mutating func wait(microseconds: Int) { clock &+= UInt64(microseconds) }

  mutating func packet(
    from source: End, to destination: End, sequence: UInt32, acknowledgement: UInt32,
    flags: UInt8, _ payload: ArraySlice<UInt8> = []
  ) {
    let length = 14 + 20 + 20 + payload.count
    buffer.append(little: UInt32(clock / 1_000_000))
    buffer.append(little: UInt32(clock % 1_000_000))
    buffer.append(little: UInt32(length))
    buffer.append(little: UInt32(length))
    buffer.append("\u{2}\u{0}\u{0}\u{0}\u{0}\u{1}\u{2}\u{0}\u{0}\u{0}\u{0}\u{2}\u{8}\u{0}")
    appendIPv4(source.address, destination.address, total: UInt16(40 + payload.count))
    buffer.append(big: source.port)
    buffer.append(big: destination.port)
    buffer.append(big: sequence)
    buffer.append(big: acknowledgement)
    buffer.append(0x50)
    buffer.append(flags)
    // A full window; a sum of 0, as where the card computes it.
    buffer.append(big: 0xFFFF_0000 as UInt32)
    buffer.append(big: 0 as UInt16)
    buffer.append(contentsOf: payload)
    if buffer.count >= Self.threshold { flush() }
  }

  private mutating func appendIPv4(_ source: UInt32, _ destination: UInt32, total: UInt16) {
    identification &+= 1
    var sum: UInt32 = 0x4500 + UInt32(total) + UInt32(identification) + 0x4000 + 0x4006
    sum += (source >> 16) + (source & 0xFFFF)
    sum += (destination >> 16) + (destination & 0xFFFF)
    sum = (sum & 0xFFFF) + (sum >> 16)
    sum = (sum & 0xFFFF) + (sum >> 16)
    buffer.append(big: 0x4500 as UInt16)
    buffer.append(big: total)
    buffer.append(big: identification)
    buffer.append(big: 0x4000_4006 as UInt32)
    buffer.append(big: ~UInt16(truncatingIfNeeded: sum))
    buffer.append(big: source)
    buffer.append(big: destination)
  }

  private mutating func flush() {
    var done = 0
    while done < buffer.count && !failed {
      let count = buffer.withUnsafeBytes { all in
        write(descriptor, all.baseAddress! + done, all.count - done)
      }
      if count > 0 { done += count } else if errno != EINTR { failed = true }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  mutating func finish() throws {
    flush()
    if close(descriptor) != 0 || failed { throw Failure(path: path) }
  }
}
