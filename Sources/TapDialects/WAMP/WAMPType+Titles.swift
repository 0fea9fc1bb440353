// SPDX-License-Identifier: Apache-2.0

extension WAMPType {
  /// What the specification calls the elements behind the code, in order: `Request|id` without the
  /// bar and the kind, which ``letter(_:)`` has. As many as the longest form of the message has.
  var titles: [StaticString] {
    switch code {
    case 1: ["Realm", "Details"]
    case 2: ["Session", "Details"]
    case 3: ["Details", "Reason", "Arguments", "ArgumentsKw"]
    case 4: ["AuthMethod", "Extra"]
    case 5: ["Signature", "Extra"]
    case 6: ["Details", "Reason"]
    case 7: ["IncomingSeq", "OutgoingSeq", "Discard"]
    case 8:
      [
        "REQUEST.Type", "REQUEST.Request", "Details", "Error", "Arguments", "ArgumentsKw",
      ]
    case 16: ["Request", "Options", "Topic", "Arguments", "ArgumentsKw"]
    case 17: ["PUBLISH.Request", "Publication"]
    case 32: ["Request", "Options", "Topic"]
    case 33: ["SUBSCRIBE.Request", "Subscription"]
    case 34: ["Request", "SUBSCRIBED.Subscription", "Options"]
    case 35: ["UNSUBSCRIBE.Request", "Details"]
    case 36:
      [
        "SUBSCRIBED.Subscription", "PUBLISHED.Publication", "Details", "PUBLISH.Arguments",
        "PUBLISH.ArgumentsKw",
      ]
    case 48: ["Request", "Options", "Procedure", "Arguments", "ArgumentsKw"]
    case 49: ["CALL.Request", "Options"]
    case 50: ["CALL.Request", "Details", "YIELD.Arguments", "YIELD.ArgumentsKw"]
    case 64: ["Request", "Options", "Procedure"]
    case 65: ["REGISTER.Request", "Registration"]
    case 66: ["Request", "REGISTERED.Registration", "Options"]
    case 67: ["UNREGISTER.Request", "Details"]
    case 68:
      [
        "Request", "REGISTERED.Registration", "Details", "CALL.Arguments", "CALL.ArgumentsKw",
      ]
    case 69: ["INVOCATION.Request", "Options"]
    case 70: ["INVOCATION.Request", "Options", "Arguments", "ArgumentsKw"]
    case 337: ["PUBLISHED.Publication"]
    default: []
    }
  }

  /// Every code of the specification, in order.
  static let codes: [UInt64] = [
    1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 32, 33, 34, 35, 36, 48, 49, 50, 64, 65, 66, 67, 68, 69, 70, 337,
  ]
}
