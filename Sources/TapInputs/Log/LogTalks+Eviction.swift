// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

extension LogTalks {
  /// There are too many: of the half that said nothing for the longest time nothing more is
  /// expected.
  mutating func evict(_ floor: any Floor) {
    let byAge = talks.indices.sorted { talks[$0].last.record < talks[$1].last.record }
    let old = byAge.prefix(max(1, talks.count / 2)).sorted()
    for index in old {
      floor.closed(Closing(isUnfinished: true), Delivery(talks[index].last))
    }
    var kept: [Talk] = []
    var places: [Int: Int] = [:]
    var next = 0
    for index in talks.indices {
      if next < old.count && old[next] == index {
        next += 1
        continue
      }
      places[index] = kept.count
      kept.append(talks[index])
    }
    talks = kept
    names = names.compactMapValues { places[$0] }
    unnamed = unnamed.mapValues { $0.compactMap { places[$0] } }.filter { !$0.value.isEmpty }
    for format in latest.indices { latest[format] = nil }
  }
}
