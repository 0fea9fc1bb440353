// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A record of what was reported, for comparison. It is readable only when two records differ and
/// are made once more, for people.
public struct Story: Equatable {
  private let isReadable: Bool
  private var octets: [UInt8] = []

  public init(isReadable: Bool) { self.isReadable = isReadable }

  public var text: String { String(decoding: octets, as: Unicode.UTF8.self) }

  public mutating func note(
    _ what: StaticString, _ first: Int = 0, _ second: Int = 0, _ third: Int = 0
  ) {
    if isReadable {
      octets += "\n\(what) \(first) \(second) \(third) ".utf8
      return
    }
    if octets.isEmpty { octets.reserveCapacity(512) }
    octets.append(what.utf8Start[0])
    octets.append(UInt8(truncatingIfNeeded: what.utf8CodeUnitCount))
    withUnsafeBytes(of: (first, second, third)) { octets += $0 }
  }

  /// Appends bytes whose piece boundaries do not matter.
  public mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { octets += $0 }
  }

  /// Appends bytes as one unit.
  public mutating func note(_ what: StaticString, _ bytes: RawSpan) {
    note(what, bytes.byteCount)
    append(bytes)
  }

  public mutating func note(_ what: StaticString, _ text: String) {
    var text = text
    text.withUTF8 { note(what, UnsafeRawBufferPointer($0).bytes) }
  }
}
