// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A rule of a names file: how to read an application's JSON.
public struct JSONApplication: Sendable {
  /// Which connections it applies to; nil for all. In a URL, `*` matches any text.
  public var url: String?
  public var port: UInt16?
  public var subprotocol: String?
  /// The dialect that its messages look like; nil for `json`.
  public var dialect: String?
  let plan: JSONProtocolPlan

  /// - Parameters:
  ///   - type: the path of the message kind, such as `head.kind`; nil when there is none.
  ///   - request: the path of a request's id.
  ///   - answers: the path in an answer of the id of its request.
  ///   - subject: the path of a message's subject.
  ///   - replies: kinds that are answers, when request and answer have the id under the same name.
  ///   - names: names for kinds, by their values.
  ///   - most: the limit of names that are kept.
  public init(
    type: String?, request: String?, answers: String?, subject: String?, replies: [String],
    names: [(value: String, name: String)], most: Int
  ) {
    func symbol(_ text: String) -> Symbol? {
      Symbol.interned(Array(text.utf8).span.bytes, most: most)
    }
    func name(_ text: String) -> Symbol? {
      Symbol.isName(Array(text.utf8).span.bytes) ? symbol(text) : nil
    }
    // Without a rule for answers, a message whose id the other side waits for is an answer.
    let isReported = answers != nil || !replies.isEmpty
    let other = isReported ? JSONKind.Role.asks : .echoes
    var kinds: [JSONKind] = []
    for value in replies + names.map(\.value).filter({ !replies.contains($0) }) {
      let said = names.first { $0.value == value }?.name ?? value
      guard let kind = symbol(value) else { continue }
      let role = replies.contains(value) ? JSONKind.Role.answers : other
      kinds.append(
        JSONKind(kind, called: name(said) ?? "JSON", role, "", ""))
    }
    let any = JSONKind("", called: "JSON", other, "", "")
    let table = JSONProtocol(
      name: "json", title: "this application", source: "",
      kindAt: type.map { [.value(JSONPath($0))] } ?? [], kinds: kinds, other: any, fallback: any,
      askers: .both, ids: request.map { [JSONPath($0)] } ?? [],
      answers: answers.map { [JSONPath($0)] } ?? [],
      idWord: name(request.map { String($0.split(separator: ".").last ?? "id") } ?? "id") ?? "id",
      subjects: subject.map { [JSONPath($0)] } ?? [], payloads: [""], page: [])
    plan = JSONProtocolPlan(table)
  }

  func matches(_ opening: Opening, takenFor dialect: StaticString) -> Bool {
    if self.dialect ?? "json" != "\(dialect)" { return false }
    if let port, opening.server.port != port { return false }
    if let subprotocol, !opening.subprotocol.elementsEqual(subprotocol.utf8) { return false }
    guard let url else { return true }
    return Self.matches(Array(url.utf8)[...], opening.url[...])
  }

  /// Whether a text matches a pattern with `*`.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var (pattern, text) = (pattern, text)
    // The position of the last star, and the text where its match began.
    var star: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
    while let byte = text.first {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        star = (pattern, text)
      } else if pattern.first == byte {
        (pattern, text) = (pattern.dropFirst(), text.dropFirst())
      } else if let last = star {
        star = (last.pattern, last.text.dropFirst())
        (pattern, text) = (last.pattern, last.text.dropFirst())
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// All rules of a run.
public final class JSONApplications {
  private let all: [JSONApplication]

  public init(_ all: [JSONApplication] = []) { self.all = all }

  /// The layer for a conversation that looks like a dialect, by the user's rule; nil when no rule
  /// applies.
  ///
  /// - Parameter separator: the separator of several texts in one message, if any.
  static func layer(
    takenFor dialect: StaticString, separator: UInt8? = nil, _ opening: Opening, _ run: RunContext
  ) -> (any Layer)? {
    let said = run.shared { JSONApplications() }.all.first {
      $0.matches(opening, takenFor: dialect)
    }
    return said.map {
      Boxed(JSONProtocolLayer($0.plan, separator: separator, opening, limits: run.limits))
    }
  }
}
