// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The lines about each packet of a capture, to be written beside it.
final class Annotations {
  private static let more = "\n… more lines about this packet"

  private var texts: [UInt64: [UInt8]] = [:]
  private var bytes = 0
  private let limits: Limits
  /// Lines that have no packet, and lines for which there was no room.
  private(set) var unplaced = 0
  private(set) var omitted = 0

  init(_ limits: Limits) { self.limits = limits }

  /// The text about a packet, by its number in the capture, from 1.
  subscript(packet: UInt64) -> [UInt8]? { texts[packet] }

  /// - Parameter line: in UTF-8, with its end of line.
  func append(_ line: RawSpan, packet: UInt64) {
    if line.byteCount == 0 { return }
    if packet == 0 {
      unplaced += 1
      return
    }
    var text = texts[packet] ?? []
    let length = line.byteCount - 1
    if bytes + length + 1 > limits.annotationBytes
      || text.count + length + 1 > limits.packetAnnotationBytes
    {
      omitted += 1
      // Added once, and only to a packet that has some lines already.
      if !text.isEmpty && !text.ends(with: Self.more.utf8) {
        text += Array(Self.more.utf8)
        texts[packet] = text
      }
      return
    }
    if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
    text += line.extracting(0..<length).copied()
    bytes += length + 1
    texts[packet] = text
  }
}

extension [UInt8] {
  fileprivate func ends(with tail: String.UTF8View) -> Bool {
    count >= tail.count && suffix(tail.count).elementsEqual(tail)
  }
}
