// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The members of one JSON-RPC object (JSON-RPC 2.0 §4, §5). It keeps no session state, so that
/// recognition, pasted text and traffic get the same verdict.
struct JSONRPCMessage {
  enum Kind {
    case request, notification, response, error

    var name: StaticString {
      switch self {
      case .request: "REQUEST"
      case .notification: "NOTIFICATION"
      case .response: "RESPONSE"
      case .error: "ERROR"
      }
    }
  }

  private(set) var version: JSONElement?
  private(set) var id: JSONElement?
  private(set) var method: JSONElement?
  private(set) var params: JSONElement?
  private(set) var result: JSONElement?
  private(set) var error: JSONElement?
  /// The number of members that JSON-RPC does not define.
  private(set) var others = 0

  /// - Parameter members: the members of a JSON object, in order.
  init(_ members: borrowing WorkingList<JSON.Member>, _ bytes: RawSpan) {
    for index in 0..<members.count { take(members[index], bytes) }
  }

  /// - Parameter object: a JSON object that was scanned without a problem.
  init(_ object: ByteRange, _ bytes: RawSpan) {
    var members = JSON.Members(of: object)
    while let member = members.next(bytes) { take(member, bytes) }
  }

  /// For a repeated key the last one counts, as in most parsers.
  @inline(__always)
  private mutating func take(_ member: JSON.Member, _ bytes: RawSpan) {
    let key = bytes[member.key]
    switch key.byteCount {
    case 2 where key.equals("id"): id = member.value
    case 5 where key.equals("error"): error = member.value
    case 6 where key.equals("method"): method = member.value
    case 6 where key.equals("params"): params = member.value
    case 6 where key.equals("result"): result = member.value
    case 7 where key.equals("jsonrpc"): version = member.value
    default: others += 1
    }
  }

  /// Nil when no member shows the kind.
  var kind: Kind? {
    if method != nil {
      // JSON-RPC 1.0 has an id in each message; that of a notification is null.
      let isReported = id == nil || version == nil && id?.kind == .null
      return isReported ? .notification : .request
    }
    if let error, error.kind != .null || result == nil { return .error }
    return result == nil ? nil : .response
  }

  /// The same where members may have been left out: what has nothing but an id is an answer
  /// without its result, as Lua prints one that is nil.
  func kind(isAbridged: Bool) -> Kind? {
    if let kind { return kind }
    let isAnswer = id != nil && version != nil && params == nil && others == 0
    return isAbridged && isAnswer ? .response : nil
  }

  /// Whether it has a member that JSON-RPC defines. Other objects of the application may share the
  /// connection, such as the events of Mopidy.
  var isOfProtocol: Bool { kind != nil || id != nil || version != nil }

  /// Whether `jsonrpc` is "2.0".
  func isVersion2(_ bytes: RawSpan) -> Bool {
    version.map { $0.kind == .string && bytes[$0.content].equals("2.0") } ?? false
  }

  // MARK: - JSON-RPC 1.0

  /// Whether only JSON-RPC 1.0 has such messages: a response with both a result and an error, one
  /// of them null, or a call whose id is null.
  var isOfVersion1: Bool {
    guard version == nil, others == 0, let id else { return false }
    if isCallOfVersion1 { return id.kind == .null }
    guard method == nil, params == nil, let result, let error else { return false }
    return result.kind == .null || error.kind == .null
  }

  /// Whether it may be a call of JSON-RPC 1.0; other protocols have the same form.
  var isCallOfVersion1: Bool {
    version == nil && others == 0 && id != nil && method?.kind == .string
      && params?.kind == .array && result == nil && error == nil
  }

  /// Whether it is an error response of an OVSDB server, which has no result (RFC 7047 §3.1).
  func isErrorOfOVSDB(_ bytes: RawSpan) -> Bool {
    guard version == nil, others == 0, id != nil, method == nil, params == nil, result == nil,
      let error, error.kind == .object
    else { return false }
    return JSON.value(of: "error", in: error.range, bytes)?.kind == .string
  }

  /// The code, the message and the data of an error (JSON-RPC 2.0 §5.1).
  func details(
    _ bytes: RawSpan
  ) -> (code: JSONElement?, words: JSONElement?, data: JSONElement?) {
    guard let error, error.kind == .object else { return (nil, nil, nil) }
    return (
      JSON.value(of: "code", in: error.range, bytes),
      JSON.value(of: "message", in: error.range, bytes),
      JSON.value(of: "data", in: error.range, bytes)
    )
  }

  /// The name of an error code (JSON-RPC 2.0 §5.1, and the base protocol of LSP).
  static func name(ofCode code: RawSpan) -> StaticString? {
    let names: [(StaticString, StaticString)] = [
      ("-32700", "Parse error"), ("-32600", "Invalid Request"), ("-32601", "Method not found"),
      ("-32602", "Invalid params"), ("-32603", "Internal error"),
      ("-32002", "LSP: server not initialized"), ("-32800", "LSP: request cancelled"),
      ("-32801", "LSP: content modified"), ("-32802", "LSP: server cancelled"),
      ("-32803", "LSP: request failed"),
    ]
    return names.first { code.equals($0.0) }?.1
  }
}
