// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// An application whose people have said how its JSON is read.
public struct JSONApplication: Sendable {
  /// Which connections it is about; nil for all. In a URL, `*` stands for anything.
  public var url: String?
  public var port: UInt16?
  public var subprotocol: String?
  /// The dialect that its messages look like; nil for `json`.
  public var dialect: String?
  let plan: JSONProtocolPlan

  /// - Parameters:
  ///   - type: the path of the kind of a message, as `head.kind`; nil where it has none.
  ///   - request: the path of the id of a request.
  ///   - answers: the path where an answer says which request it answers.
  ///   - subject: the path of what a message is about.
  ///   - replies: kinds that answer, where both have their id under the same name.
  ///   - names: what kinds are called, by their values.
  ///   - most: how many names are kept.
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
    // Where nothing says which kinds answer, an id that the other side waits for does.
    let isTold = answers != nil || !replies.isEmpty
    let other = isTold ? JSONKind.Role.asks : .echoes
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

  /// Whether a text is what a pattern with `*` stands for.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var (pattern, text) = (pattern, text)
    // Where the last star stood, and what it was tried with.
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

/// All of a run.
public final class JSONApplications {
  private let all: [JSONApplication]

  public init(_ all: [JSONApplication] = []) { self.all = all }

  /// Reads a conversation that looks like one of a dialect as its people say; nil where they say
  /// nothing of it.
  ///
  /// - Parameter separator: what stands between several texts in one message, if anything.
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
