// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``JSONRPCFindings``.
extension Finding.Code {
  static let rpcUnanswered: Self = "jsonrpc.request-unanswered"
  static let rpcAnswerUnknown: Self = "jsonrpc.answer-unknown"
  static let rpcIDDuplicate: Self = "jsonrpc.id-duplicate"
  static let rpcIDType: Self = "jsonrpc.id-type"
  static let rpcBoth: Self = "jsonrpc.answer-both"
  static let rpcNeither: Self = "jsonrpc.answer-neither"
  static let rpcVersion: Self = "jsonrpc.version-missing"
  static let rpcParams: Self = "jsonrpc.params-scalar"
  static let rpcErrorShape: Self = "jsonrpc.error-shape"
  static let rpcFailed: Self = "jsonrpc.error-answer"
  static let rpcParseError: Self = "jsonrpc.parse-error"
  static let rpcBatchEmpty: Self = "jsonrpc.batch-empty"
  static let rpcBatchInBatch: Self = "jsonrpc.batch-in-batch"
}

enum JSONRPCFindings {
  static let all: [Explanation] = [
    Explanation(
      .rpcUnanswered, .warning, or: .note, "A request was never answered.",
      cause: "A handler that hangs, or that forgets to answer on one of its paths.",
      remedy: "Look for its id in the server's log; a notification, which has no id, needs none.",
      source: "JSON-RPC 2.0 §5"),
    Explanation(
      .rpcAnswerUnknown, .error, "An answer has the id of no request that waits for one.",
      cause: "The id was answered before, or changed its type on the way: \"7\" is not 7.",
      remedy: "Send the id back exactly as it came, once.", source: "JSON-RPC 2.0 §5"),
    Explanation(
      .rpcIDDuplicate, .error, "A request has the id of another that has no answer yet.",
      cause: "Two parts of a client that count their ids on their own.",
      remedy: "Use one counter for each connection.", source: "JSON-RPC 2.0 §4"),
    Explanation(
      .rpcIDType, .error, or: .note, "An id is neither a text nor a whole number.",
      cause: "An object, a list, a boolean or a fraction where the id belongs.",
      remedy: "Use a text or an integer.", source: "JSON-RPC 2.0 §4"),
    Explanation(
      .rpcBoth, .error, or: .note, "An answer has both a result and an error.",
      cause: "A server of JSON-RPC 1.0, or one that adds empty members.",
      remedy: "Send either the one or the other.", source: "JSON-RPC 2.0 §5"),
    Explanation(
      .rpcNeither, .error, "A message is no request, no notification and no answer.",
      cause: "A member is missing or misspelled, or another protocol shares the connection.",
      remedy: "A request has a method; an answer has a result or an error.",
      source: "JSON-RPC 2.0 §4, §5"),
    Explanation(
      .rpcVersion, .note, "A message does not say that it is JSON-RPC 2.0.",
      cause: "A peer that speaks JSON-RPC 1.0, as OVSDB does (RFC 7047), or a cousin of it.",
      remedy: "Nothing if it is 1.0; else add \"jsonrpc\":\"2.0\" to each message.",
      source: "JSON-RPC 2.0 §4"),
    Explanation(
      .rpcParams, .error, "The parameters are neither an object nor a list.",
      cause: "A single value was sent as it is.", remedy: "Put it into a list.",
      source: "JSON-RPC 2.0 §4.2"),
    Explanation(
      .rpcErrorShape, .error, "An error has no code, or no message.",
      cause: "A text, or an object of another form, where the error object belongs.",
      remedy: "Send {\"code\":…,\"message\":…}.", source: "JSON-RPC 2.0 §5.1"),
    Explanation(
      .rpcFailed, .warning, "A request was answered by an error.",
      cause: "What the code and the words say.",
      remedy: "Codes from -32700 to -32600 are the protocol's own; others are the application's.",
      source: "JSON-RPC 2.0 §5.1"),
    Explanation(
      .rpcParseError, .error, "A message is no JSON.",
      cause: "Text that was put together by hand, or cut.",
      remedy: "Send one JSON text in each message.", source: "JSON-RPC 2.0 §4"),
    Explanation(
      .rpcBatchEmpty, .error, "A batch has no message.",
      cause: "A client that sends its queue even when that is empty.",
      remedy: "Send nothing instead.", source: "JSON-RPC 2.0 §6"),
    Explanation(
      .rpcBatchInBatch, .error, "A batch stands inside of a batch.",
      cause: "A list was put into a list.", remedy: "Send one flat list.",
      source: "JSON-RPC 2.0 §6"),
  ]
}
