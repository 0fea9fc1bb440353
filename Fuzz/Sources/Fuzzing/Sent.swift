// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What both sides of a script have sent.
final class Sent {
  /// The bytes that each side has sent, without gaps.
  private(set) var octets: [[UInt8]] = [[], []]
  /// The start of the bytes after each gap, in the stream and in `octets`.
  private var parts: [[(place: Int, start: Int)]] = [[(0, 0)], [(0, 0)]]
  /// How many bytes were lent.
  private(set) var fed = 0
  private(set) var hasGaps = false

  func append(_ bytes: [UInt8], _ side: Int) {
    if octets[side].isEmpty { octets[side].reserveCapacity(512) }
    octets[side] += bytes
    fed += bytes.count
  }

  func append(gap count: Int?, _ side: Int) {
    hasGaps = true
    let last = parts[side].last!
    let end = octets[side].count
    parts[side].append((last.place + end - last.start + (count ?? 0), end))
  }

  /// Whether one side has sent these bytes at an offset of its stream, between two gaps.
  func says(_ bytes: RawSpan, at place: Int, _ side: Int) -> Bool {
    guard let index = parts[side].lastIndex(where: { $0.place <= place }) else { return false }
    let (part, all) = (parts[side][index], octets[side])
    let end = index + 1 < parts[side].count ? parts[side][index + 1].start : all.count
    let start = part.start + place - part.place
    guard start + bytes.byteCount <= end else { return false }
    return all.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[start..<start + bytes.byteCount]).bytes.equals(bytes)
    }
  }
}
