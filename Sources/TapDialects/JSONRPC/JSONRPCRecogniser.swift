// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Recognises objects with `"jsonrpc":"2.0"` that are a valid message, alone or in a batch; on a
/// connection also messages that only JSON-RPC 1.0 has.
struct JSONRPCRecogniser: Recogniser {
  private let scan: SharedScan
  /// A call was seen that may be one of JSON-RPC 1.0.
  private var hasCall = false

  let isOfObjects = true
  let objectMarks: [StaticString] = ["jsonrpc"]

  init(_ scan: SharedScan) { self.scan = scan }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    guard kind.mayBeJSON(text) else { return .none }
    // Most lists belong to something else.
    guard Self.mayBegin(text) else { return .none }
    let scanner = scan.scanner
    guard scan.isJSON(text), !scanner.value.elements.isEmpty else { return .none }
    let (first, isBatch) = (scanner.value.elements[0], scanner.value.isArray)
    guard first.kind == .object else { return .none }
    // The scan has stored the members of a single object.
    let message =
      isBatch
      ? JSONRPCMessage(first.range, text) : JSONRPCMessage(scanner.value.members, text)
    guard message.kind(isAbridged: kind == .abridged) != nil else { return .none }
    if message.isVersion2(text) {
      var found = Recognition(.likely)
      // In a connection, the sides are known; either LSP's client or its server may have opened it.
      if case .conversation = context { return found }
      found.direction =
        message.method.map { Self.direction(text[$0.content]) } ?? Self.answerer(message, text)
      // A program may be a server on one connection and a client on another.
      found.isUsualDirection = true
      // LSP and MCP have it once, before all else.
      found.begins =
        message.id != nil && message.method.map { text[$0.content].equals("initialize") } ?? false
      // Batches may be answered one by one.
      if !isBatch { Self.note(exchangeOf: message, text, &found) }
      return found
    }
    switch context {
    case .paste(isSpoken: true): return Recognition(.possible)
    case .conversation where !isBatch: return recognise(version1: message, text)
    default: return .none
    }
  }

  private static func note(
    exchangeOf message: JSONRPCMessage, _ text: RawSpan, _ found: inout Recognition
  ) {
    guard let id = message.id, id.mayBeID, id.mayBeOfOthers else { return }
    let key = id.identity(in: text)
    if message.method == nil { found.answers = key } else { found.opens = key }
  }

  /// Whether a call is one of JSON-RPC 1.0 shows only in its response.
  private mutating func recognise(version1 message: JSONRPCMessage, _ text: RawSpan) -> Recognition
  {
    if message.isOfVersion1 || hasCall && message.isErrorOfOVSDB(text) {
      return Recognition(.likely)
    }
    var found = Recognition.none
    if message.isCallOfVersion1 { (hasCall, found.isUndecided) = (true, true) }
    return found
  }

  /// The direction of methods that only one side sends in LSP 3.17; most logs of JSON-RPC are logs
  /// of LSP.
  private static func direction(_ method: RawSpan) -> Direction {
    if fromServer.contains(where: { method.equals($0) }) { return .toClient }
    return fromClient.contains { method.equals($0) } ? .toServer : .unknown
  }

  /// The sender of the answer to `initialize` of LSP, which has the server's capabilities.
  private static func answerer(_ message: JSONRPCMessage, _ text: RawSpan) -> Direction {
    guard let result = message.result, result.kind == .object else { return .unknown }
    let isAnswer = JSON.value(of: "capabilities", in: result.range, text) != nil
    return isAnswer ? .toClient : .unknown
  }

  private static let fromClient: [StaticString] = ["initialize", "initialized"]
  private static let fromServer: [StaticString] = ["textDocument/publishDiagnostics"]

  /// Whether a text begins like an object, or a list of objects.
  private static func mayBegin(_ text: RawSpan) -> Bool {
    var at = 0
    while at < text.byteCount, text.byte(at: at) <= 0x20 || text.byte(at: at) == .openBracket {
      at += 1
    }
    return at < text.byteCount && text.byte(at: at) == .openBrace
  }

  func refusal(of _: RawSpan) -> String { "it is no object with \"jsonrpc\":\"2.0\"" }
}

extension JSONElement {
  /// Whether other connections may use this id, too. What is as long as a UUID is of one alone.
  var mayBeOfOthers: Bool { text.count < 16 }
}
