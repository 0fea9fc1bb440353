// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What may name a client before a packet on its line: a logger of its own, `mqtt.kitchen`, what a
/// callback prints, `kitchen: `, or the thread that paho starts, `paho-mqtt-client-kitchen`.
enum MQTTLogMargin {
  private static let thread = Array("paho-mqtt-client-".utf8)

  /// Whether a word is a logger's name of several parts, which programs give to each client: the
  /// names of threads say nothing, as the main one sends for all.
  static func isLogger(_ word: [UInt8]) -> Bool {
    word.first?.isAlpha == true && word.dropLast().contains(.period)
  }

  /// Its words, each also without what stands before its last point. Numbers are no names.
  static func names(_ margin: RawSpan) -> [[UInt8]] {
    var all: [[UInt8]] = []
    let words = margin.copied().split { $0 <= 0x20 || "[](){}<>|\"'".utf8.contains($0) }
    for word in words {
      var word = word
      while let last = word.last, ":,".utf8.contains(last) { word.removeLast() }
      if !word.contains(where: { $0.isAlpha || $0 >= 0x80 }) { continue }
      all.append(Array(word))
      if word.starts(with: thread) { all.append(Array(word.dropFirst(thread.count))) }
      if let point = word.lastIndex(of: .period), point + 1 < word.endIndex {
        all.append(Array(word[(point + 1)...]))
      }
    }
    return all
  }
}
