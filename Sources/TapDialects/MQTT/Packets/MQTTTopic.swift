// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Topic names and filters (MQTT 5.0 §4.7, §4.8).
enum MQTTTopic {
  /// The fault of a non-empty filter; nil when it is valid.
  static func problem(ofFilter filter: RawSpan) -> (words: String, rule: MQTTRule)? {
    if filter.starts(with: "$share/") || filter.equals("$share") {
      guard let start = behindShare(filter) else {
        return ("has no share name, or no filter behind it", MQTTRule("", "4.8.2-1"))
      }
      let name = filter.extracting(7..<start - 1)
      if name.firstIndex(of: UInt8(ascii: "+")) != nil
        || name.firstIndex(of: UInt8(ascii: "#")) != nil
      {
        return ("has a wildcard in its share name", MQTTRule("", "4.8.2-2"))
      }
      return problem(ofLevels: filter.dropping(start))
    }
    return problem(ofLevels: filter)
  }

  private static func problem(
    ofLevels filter: RawSpan
  ) -> (words: String, rule: MQTTRule)? {
    let (plus, hash, slash) = (UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "/"))
    let count = filter.byteCount
    for at in 0..<count {
      let byte = filter.byte(at: at)
      guard byte == plus || byte == hash else { continue }
      let begins = at == 0 || filter.byte(at: at - 1) == slash
      if byte == hash {
        if at + 1 < count {
          return ("has # before its last level", MQTTRule("4.7.1-2", "4.7.1-1"))
        }
        if !begins {
          return ("has # beside other characters of a level", MQTTRule("4.7.1-2", "4.7.1-1"))
        }
      } else if !begins || at + 1 < count && filter.byte(at: at + 1) != slash {
        return ("has + beside other characters of a level", MQTTRule("4.7.1-3", "4.7.1-2"))
      }
    }
    return nil
  }

  /// The offset of the filter after `$share/NAME/`; nil when a part of that is missing.
  static func behindShare(_ filter: RawSpan) -> Int? {
    guard filter.starts(with: "$share/"),
      let slash = filter.firstIndex(of: UInt8(ascii: "/"), from: 7), slash > 7,
      slash + 1 < filter.byteCount
    else { return nil }
    return slash + 1
  }

  /// The offset of the filter after what EMQX reads as a share or lock: `$queue/`, `$exclusive/`.
  /// For other servers, that is a part of the filter.
  static func behindEMQXPrefix(_ filter: RawSpan) -> Int? {
    filter.starts(with: "$queue/") ? 7 : filter.starts(with: "$exclusive/") ? 11 : nil
  }

  /// Whether a filter matches only the topic that is the same.
  static func isExact(_ filter: RawSpan) -> Bool {
    !isPattern(filter) && behindShare(filter) == nil && behindEMQXPrefix(filter) == nil
  }

  /// Whether a filter has a wildcard.
  static func isPattern(_ filter: RawSpan) -> Bool {
    filter.firstIndex(of: UInt8(ascii: "+")) != nil
      || filter.firstIndex(of: UInt8(ascii: "#")) != nil
  }

  /// Whether a filter matches a topic name; of a shared subscription, the part after
  /// `$share/NAME/`.
  static func matches(_ filter: RawSpan, _ topic: RawSpan) -> Bool {
    if let start = behindShare(filter) { return matchesLevels(filter.dropping(start), topic) }
    if matchesLevels(filter, topic) { return true }
    guard let start = behindEMQXPrefix(filter) else { return false }
    return matchesLevels(filter.dropping(start), topic)
  }

  private static func matchesLevels(_ filter: RawSpan, _ topic: RawSpan) -> Bool {
    let (plus, hash, slash) = (UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "/"))
    let (filterEnd, topicEnd) = (filter.byteCount, topic.byteCount)
    if filterEnd == 0 { return false }
    // §4.7.2: a leading wildcard does not match topics that begin with `$`.
    let first = filter.byte(at: 0)
    if topicEnd > 0, topic.byte(at: 0) == UInt8(ascii: "$"), first == plus || first == hash {
      return false
    }
    var (at, place) = (0, 0)
    while at < filterEnd {
      let byte = filter.byte(at: at)
      if byte == hash { return true }
      if byte == plus {
        while place < topicEnd, topic.byte(at: place) != slash { place += 1 }
        at += 1
        continue
      }
      if place == topicEnd {
        // `a/#` also matches `a`.
        return byte == slash && at + 2 == filterEnd && filter.byte(at: at + 1) == hash
      }
      if topic.byte(at: place) != byte { return false }
      at += 1
      place += 1
    }
    return place == topicEnd
  }
}
