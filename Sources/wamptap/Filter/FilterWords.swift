// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapFilter
import TapInputs
import TapInspector
import TapTraffic

/// What filters are checked against, gathered from what `explain` knows.
enum FilterWords {
  /// - Parameter named: filters of a names file, by name.
  static func vocabulary(named: [String: String] = [:]) -> Vocabulary {
    let guide = Guide(inputs: InputFindings.all)
    var words = Vocabulary()
    words.findings = guide.findings.map(\.code.name)
    words.errors = guide.topics.filter { $0.group.noun.hasSuffix("error URI") }.map(\.name)
    words.protocols = LayerFactory.dialects + ["websocket", "rawsocket"]
    words.messages = guide.topics.filter(isMessage).map { topic in
      Vocabulary.Message(name: topic.name, title: title(topic))
    }
    let frames = ["CLOSE", "PING", "PONG", "TEXT", "BINARY", "JSON"]
    words.messages += frames.map { Vocabulary.Message(name: $0, title: "WebSocket") }
    words.messages.append(Vocabulary.Message(name: "HEARTBEAT", title: "STOMP"))
    words.filters.merge(named) { $1 }
    words.zone = Terminal.offset(at:)
    return words
  }

  /// The filter of an option; complains of one that is not valid.
  static func filter(_ text: String, _ words: Vocabulary) throws(ExitCode) -> Filter {
    do {
      return try Filter(text, words)
    } catch {
      Terminal.report(error.text, picture: error.picture)
      throw ExitCode(64)
    }
  }

  /// How nouns of messages end.
  private static let kinds = [" message type", " message", " packet", " command", " frame"]

  /// Messages are grouped by protocol: `WAMP message types`, `MQTT packets`.
  private static func isMessage(_ topic: Topic) -> Bool {
    let noun = topic.group.noun
    return kinds.contains { noun.hasSuffix($0) }
      && topic.name == topic.name.filter { !$0.isWhitespace }
      && topic.name.first.map { $0.isLetter } ?? false
  }

  private static func title(_ topic: Topic) -> String {
    for end in kinds where topic.group.noun.hasSuffix(end) {
      return String(topic.group.noun.dropLast(end.count))
    }
    return topic.group.noun
  }
}
