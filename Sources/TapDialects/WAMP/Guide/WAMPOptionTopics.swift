// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPOptionTopics {
  /// The keys of Options, Details and Extra, from ``WAMPOption``.
  static let all: [Topic] = {
    var keys: [String] = []
    var entries: [String: [WAMPOption]] = [:]
    for option in WAMPOption.all {
      let key = option.key.description
      if entries[key] == nil { keys.append(key) }
      entries[key, default: []].append(option)
    }
    return keys.map { topic($0, entries[$0]!) }
  }()

  private static func topic(_ key: String, _ entries: [WAMPOption]) -> Topic {
    let meanings = Set(entries.map(\.meaning.description))
    let isExtension = entries.allSatisfy(\.isExtension)
    return Topic(
      Topic.Group("WAMP keys of Options, Details and Extra", "WAMP option key"), key,
      meanings.count == 1
        ? sentence(entries[0].meaning.description)
        : "What it means depends on the message that it stands in.",
      aliases: entries.flatMap { entry in entry.places.map { "\($0).\(key)" } },
      [
        Topic.Part("Stands in", .lines(entries.map { line($0, alone: meanings.count == 1) })),
        .beware(
          isExtension ? "It is not in the specification: peers of another make ignore it." : ""),
      ],
      source: isExtension
        ? "not in the specification; seen in implementations or drafts"
        : "WAMP, \"Message Definitions\" and \"Advanced Profile\"")
  }

  /// `CALL.Options, a boolean: whether more parts of this call will follow`
  private static func line(_ entry: WAMPOption, alone: Bool) -> String {
    let place = entry.places.joined(separator: ", ") + ": \(entry.kind.description)"
    let mark = entry.isExtension && !alone ? "; an extension" : ""
    return alone ? place : "\(place), \(entry.meaning)\(mark)"
  }

  /// `What it does.`
  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst() + "."
  }
}

extension WAMPOption {
  /// The dictionaries that may have it: `CALL.Options`, `HELLO.Details.authextra`.
  fileprivate var places: [String] {
    codes.compactMap { code in
      guard let type = WAMPType(code: code) else { return nil }
      let dictionary = type.titles.indices.first {
        type.letter($0 + 1) == UInt8(ascii: "d")
      }
      guard let dictionary else { return nil }
      let inner = inside.utf8CodeUnitCount == 0 ? "" : ".\(inside)"
      return "\(type.name).\(type.titles[dictionary])\(inner)"
    }
  }
}
