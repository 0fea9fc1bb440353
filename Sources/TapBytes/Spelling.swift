// SPDX-License-Identifier: Apache-2.0

/// Suggestions for mistyped words.
public enum Spelling {
  /// The most similar word; nil when none is similar enough.
  public static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().utf8.prefix(100))
    // Allow about one mistake per three characters, as a short word resembles anything.
    var best = max(1, typed.count / 3) + 1
    var found: String?
    for candidate in words {
      let known = Array(candidate.lowercased().utf8)
      let distance = distance(typed, known)
      if distance < best { (best, found) = (distance, candidate) }
    }
    return found
  }

  /// The edit distance: how many characters are missing, superfluous, wrong, or swapped with the
  /// next one.
  public static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
