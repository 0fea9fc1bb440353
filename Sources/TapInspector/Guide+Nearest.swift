// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension Guide {
  /// The names that are most similar to an unknown word, the nearest first; at most five.
  public func nearest(to text: String) -> [String] {
    let word = Array(Self.plain(String(text.prefix(100))).utf8)
    // About one mistake per three characters: more would match any word.
    let most = max(1, word.count / 3)
    var found: [(name: String, distance: Int)] = []
    for topic in topics {
      let distance = topic.names.map { name in
        let plain = Array(Self.plain(name).utf8)
        let last = plain.split(separator: UInt8(ascii: ".")).last.map { Array($0) } ?? []
        return min(Spelling.distance(word, plain), Spelling.distance(word, last))
      }.min()!
      if distance <= most && !found.contains(where: { $0.name == topic.name }) {
        found.append((topic.name, distance))
      }
    }
    // At equal distance, the order of the list decides.
    let sorted = found.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    // A name twice as far as the nearest is not suggested.
    let limit = (sorted.first?.element.distance ?? 0) * 2
    return sorted.prefix(5).filter { $0.element.distance <= limit }.map(\.element.name)
  }
}
