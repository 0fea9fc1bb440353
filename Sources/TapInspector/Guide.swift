// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapFraming
import TapHTTP
import TapRawSocket
public import TapTraffic
import TapTLS
import TapTransport
import TapWebSocket

/// Everything that can be explained, collected from the layers that know it.
public struct Guide: Sendable {
  /// All findings, sorted by code.
  public let findings: [Explanation]
  /// Codes of the findings about messages, which are found again when the messages are decoded
  /// again.
  public let messageFindings: Set<String>
  /// In the order in which they are listed, findings last.
  public let topics: [Topic]

  /// - Parameters:
  ///   - inputs: the findings of inputs, which are not layers.
  ///   - others: topics of anything else that is not a layer.
  public init(inputs: [Explanation], others: [Topic] = []) {
    let ofMessages = Dialects.all.flatMap { $0.findings } + InspectorFindings.dialects
    messageFindings = Set(ofMessages.filter(\.isFoundAgain).map(\.code.name))
    findings =
      (Dialects.all.flatMap { $0.findings } + WebSocketFindings.all + RawSocketFindings.all
      + StreamFindings.all
      + HTTPFindings.all + TLSFindings.all + InspectorFindings.all + TransportFindings.all + inputs)
      .sorted { $0.code.name < $1.code.name }
    topics =
      Dialects.all.flatMap { $0.topics } + WebSocketGuide.topics + RawSocketGuide.topics
      + TLSGuide.topics + MaskingGuide.topics + others
      + findings.map(Topic.init)
  }

  /// All topics that a word or a number can mean; empty for an unknown one.
  public func topics(for text: String) -> [Topic] {
    if let number = Self.number(text) { return topics(for: number) }
    let word = Self.plain(text)
    if word.isEmpty { return [] }
    var exact: [Topic] = []
    // The last part of a name is enough: `no_such_procedure`, `on_join`, `subprotocol-missing`.
    var ending: [Topic] = []
    for topic in topics {
      let names = topic.names.map(Self.plain)
      if names.contains(word) {
        exact.append(topic)
      } else if names.contains(where: { $0.hasSuffix("." + word) }) {
        ending.append(topic)
      }
    }
    return exact + ending
  }

  /// For a number without a topic of its own, or only with ones of single protocols, includes the
  /// ranges that contain it.
  private func topics(for number: UInt64) -> [Topic] {
    let all = topics.filter { $0.numbers?.contains(number) == true }
    let named = all.filter { $0.numbers?.count == 1 }
    return named.allSatisfy(\.isOfOneProtocol) ? all : named
  }

  /// `33` or `0x21`.
  private static func number(_ text: String) -> UInt64? {
    let digits = text.lowercased()
    return digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
  }

  /// The form in which names are compared: lower case, with `_` and space as `-`.
  static func plain(_ text: String) -> String {
    String(text.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
  }
}

extension Topic {
  /// The names it is found by.
  var names: [String] { [name] + aliases }
}
