// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Guide {
  /// The names that are most like a word that means nothing, the nearest first: at most five.
  public func nearest(to text: String) -> [String] {
    let word = Array(Self.plain(String(text.prefix(100))).utf8)
    // About one mistake for three characters; a short word is like everything.
    let most = max(1, word.count / 3)
    var found: [(name: String, distance: Int)] = []
    for topic in topics {
      let distance = topic.names.map { name in
        let plain = Array(Self.plain(name).utf8)
        let last = plain.split(separator: UInt8(ascii: ".")).last.map { Array($0) } ?? []
        return min(Self.distance(word, plain), Self.distance(word, last))
      }.min()!
      if distance <= most && !found.contains(where: { $0.name == topic.name }) {
        found.append((topic.name, distance))
      }
    }
    // Sorted by distance alone, the order of the list decides between the same.
    let sorted = found.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    // What is twice as far as the nearest is no suggestion.
    let limit = (sorted.first?.element.distance ?? 0) * 2
    return sorted.prefix(5).filter { $0.element.distance <= limit }.map(\.element.name)
  }

  /// How many characters are missing, too many, wrong, or exchanged with the next one.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var before = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
      var line = [Int](repeating: row, count: right.count + 1)
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var best = min(
          last[column] + 1, line[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1 && column > 1 && left[row - 1] == right[column - 2]
          && left[row - 2] == right[column - 1]
        {
          best = min(best, before[column - 2] + 1)
        }
        line[column] = best
      }
      (before, last) = (last, line)
    }
    return last[right.count]
  }
}
