// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

extension LogConversations {
  /// There are too many: of the half that said nothing for the longest time nothing more is
  /// expected.
  mutating func evict(_ sink: any EvidenceSink) {
    let byAge = conversations.indices.filter { !conversations[$0].isClosed }.sorted {
      conversations[$0].last.record < conversations[$1].last.record
    }
    for index in byAge.prefix(max(1, byAge.count / 2)) { close(index, sink) }
    let all = conversations
    names = names.filter { !all[$0.value].isClosed }
    former = former.filter { !all[$0.value].isClosed }
    unnamed = unnamed.mapValues { $0.filter { !all[$0].isClosed } }
      .filter { !$0.value.isEmpty }
    for format in latest.indices { latest[format] = nil }
  }
}
