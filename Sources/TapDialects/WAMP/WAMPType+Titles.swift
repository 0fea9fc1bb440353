// SPDX-License-Identifier: Apache-2.0

extension WAMPType {
  /// The specification's names of the elements after the code, in order: `Request|id` without the
  /// bar and the kind, which ``letter(_:)`` returns. The list covers the longest form of the
  /// message.
  var titles: [StaticString] {
    switch code {
    case WAMPCode.hello: ["Realm", "Details"]
    case WAMPCode.welcome: ["Session", "Details"]
    case WAMPCode.abort: ["Details", "Reason", "Arguments", "ArgumentsKw"]
    case WAMPCode.challenge: ["AuthMethod", "Extra"]
    case WAMPCode.authenticate: ["Signature", "Extra"]
    case WAMPCode.goodbye: ["Details", "Reason"]
    case WAMPCode.heartbeat: ["IncomingSeq", "OutgoingSeq", "Discard"]
    case WAMPCode.error:
      [
        "REQUEST.Type", "REQUEST.Request", "Details", "Error", "Arguments", "ArgumentsKw",
      ]
    case WAMPCode.publish: ["Request", "Options", "Topic", "Arguments", "ArgumentsKw"]
    case WAMPCode.published: ["PUBLISH.Request", "Publication"]
    case WAMPCode.subscribe: ["Request", "Options", "Topic"]
    case WAMPCode.subscribed: ["SUBSCRIBE.Request", "Subscription"]
    case WAMPCode.unsubscribe: ["Request", "SUBSCRIBED.Subscription", "Options"]
    case WAMPCode.unsubscribed: ["UNSUBSCRIBE.Request", "Details"]
    case WAMPCode.event:
      [
        "SUBSCRIBED.Subscription", "PUBLISHED.Publication", "Details", "PUBLISH.Arguments",
        "PUBLISH.ArgumentsKw",
      ]
    case WAMPCode.call: ["Request", "Options", "Procedure", "Arguments", "ArgumentsKw"]
    case WAMPCode.cancel: ["CALL.Request", "Options"]
    case WAMPCode.result: ["CALL.Request", "Details", "YIELD.Arguments", "YIELD.ArgumentsKw"]
    case WAMPCode.register: ["Request", "Options", "Procedure"]
    case WAMPCode.registered: ["REGISTER.Request", "Registration"]
    case WAMPCode.unregister: ["Request", "REGISTERED.Registration", "Options"]
    case WAMPCode.unregistered: ["UNREGISTER.Request", "Details"]
    case WAMPCode.invocation:
      [
        "Request", "REGISTERED.Registration", "Details", "CALL.Arguments", "CALL.ArgumentsKw",
      ]
    case WAMPCode.interrupt: ["INVOCATION.Request", "Options"]
    case WAMPCode.yield: ["INVOCATION.Request", "Options", "Arguments", "ArgumentsKw"]
    case WAMPCode.eventReceived: ["PUBLISHED.Publication"]
    default: []
    }
  }

  /// Every code of the specification, in order.
  static let codes: [UInt64] = [
    1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 32, 33, 34, 35, 36, 48, 49, 50, 64, 65, 66, 67, 68, 69, 70, 337,
  ]
}
