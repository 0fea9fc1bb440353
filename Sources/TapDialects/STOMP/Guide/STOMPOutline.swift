// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The headers of a frame with their meanings, and its body.
enum STOMPOutline {
  /// - Parameter bytes: the JSON that stands for the frame.
  static func append(_ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>) {
    let most = Limits.standard.outlineLines
    let all = ByteRange(0, bytes.byteCount)
    if let headers = JSON.value(of: "headers", in: all, bytes) {
      var elements = JSON.Members(ofArray: headers.range)
      while let pair = elements.next(bytes) {
        if rows.count == most { return rows.append(.more(depth: 0)) }
        guard let (name, value) = JSON.pair(pair.value.range, bytes) else { continue }
        var row = OutlineRow("", .json, value.range)
        row.key = name.content
        row.meaning = STOMPHeader(bytes[name.content]).meaning
        rows.append(row)
      }
    }
    guard let body = JSON.value(of: "body", in: all, bytes), !body.content.isEmpty else { return }
    var row = OutlineRow("body", .json, body.range)
    if body.kind == .object { row.meaning = "bytes, which are no text" }
    rows.append(row)
  }
}

extension STOMPHeader {
  /// In a few words.
  var meaning: StaticString {
    switch self {
    case .other: ""
    case .id: "of the subscription; of the message, in ACK and NACK"
    case .ack: "who acknowledges; in MESSAGE, what to send back"
    case .host: "the virtual host"
    case .login: "the user"
    case .server: "name and version of the server"
    case .session: "given by the server"
    case .version: "in force on this connection"
    case .receipt: "asks for a RECEIPT"
    case .message: "what went wrong, in short"
    case .passcode: "the password"
    case .selector: "which messages are wanted"
    case .destination: "where it is sent, or subscribed to"
    case .subscription: "which subscription it is for"
    case .transaction: "takes effect with its COMMIT"
    case .messageID: "given by the server"
    case .receiptID: "the frame that was taken"
    case .replyTo: "where the answer goes"
    case .correlationID: "the same in request and answer"
    case .contentLength: "bytes of the body"
    case .contentType: "of the body"
    case .acceptVersion: "what the client can speak"
    case .heartBeat: "milliseconds: what it can send, what it wants"
    case .prefetchCount: "messages that may be open at once"
    case .redelivered: "whether it was delivered before"
    case .userName: "who logged in"
    case .durable: "the subscription outlives the connection (RabbitMQ)"
    case .subscriptionName: "of a subscription that outlives the connection (ActiveMQ)"
    case .durableSubscriptionName: "of a subscription that outlives the connection (Artemis)"
    case .durableSubscriberName:
      "of a subscription that outlives the connection (HornetQ, Artemis)"
    }
  }
}
