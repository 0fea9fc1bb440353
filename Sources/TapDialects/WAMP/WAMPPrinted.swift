// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How Autobahn, Crossbar.io and nexus print messages: their classes have the names of the message
/// types.
enum WAMPPrinted {
  static let messages = PrintedMessages(
    layouts.map { PrintedMessages.Layout($0.name, $0.code, $0.fields) },
    // The field names of nexus.
    synonyms: [
      ("ID", "session"), ("Type", "request_type"), ("AuthMethod", "method"), ("Options", "*"),
      ("Details", "*"), ("Extra", "extra"), ("Arguments", "args"), ("ArgumentsKw", "kwargs"),
    ])

  private static let layouts: [(name: StaticString, code: Int, fields: [String])] = [
    ("Hello", 1, ["realm", "*"]),
    ("Welcome", 2, ["session", "*"]),
    ("Abort", 3, ["*", "reason"]),
    ("Challenge", 4, ["method", "extra"]),
    ("Authenticate", 5, ["signature", "extra"]),
    ("Goodbye", 6, ["*", "reason"]),
    ("Error", 8, ["request_type", "request", "*", "error", "args", "kwargs"]),
    ("Publish", 16, ["request", "*", "topic", "args", "kwargs"]),
    ("Published", 17, ["request", "publication"]),
    ("Subscribe", 32, ["request", "*", "topic"]),
    ("Subscribed", 33, ["request", "subscription"]),
    ("Unsubscribe", 34, ["request", "subscription"]),
    ("Unsubscribed", 35, ["request", "+"]),
    ("Event", 36, ["subscription", "publication", "*", "args", "kwargs"]),
    ("Call", 48, ["request", "*", "procedure", "args", "kwargs"]),
    ("Cancel", 49, ["request", "*"]),
    ("Result", 50, ["request", "*", "args", "kwargs"]),
    ("Register", 64, ["request", "*", "procedure"]),
    ("Registered", 65, ["request", "registration"]),
    ("Unregister", 66, ["request", "registration"]),
    ("Unregistered", 67, ["request", "+"]),
    ("Invocation", 68, ["request", "registration", "*", "args", "kwargs"]),
    ("Interrupt", 69, ["request", "*"]),
    ("Yield", 70, ["request", "*", "args", "kwargs"]),
  ]
}
