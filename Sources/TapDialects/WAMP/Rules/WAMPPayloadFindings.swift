// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPPayloadFindings``.
extension Finding.Code {
  static let emptyArguments: Self = "wamp.empty-args-sent"
  static let opaquePayload: Self = "wamp.opaque-payload"
  static let opaqueUndeclared: Self = "wamp.opaque-payload-undeclared"
  static let pptShape: Self = "wamp.ppt-shape"
  static let pptNotAnnounced: Self = "wamp.ppt-not-announced"
  static let tracebackLeak: Self = "wamp.traceback-leak"
}

/// Explanations of findings about payloads of single messages.
enum WAMPPayloadFindings {
  static let all: [Explanation] = [
    Explanation(
      .emptyArguments, .note,
      "Empty arguments are sent, which should be left out.",
      cause: "An encoder that always writes both kinds of arguments.",
      remedy: "Harmless: a few bytes for each message.",
      source: "WAMP, \"Message Definitions\""),
    Explanation(
      .opaquePayload, .note,
      "The payload is opaque to the router, and cannot be read here.",
      cause: """
        Payload passthru mode: it is encrypted from end to end, or belongs to another protocol.
        """,
      remedy: "The options of the message name the scheme, the serializer and the key.",
      source: "WAMP, \"Payload Passthru Mode\""),
    Explanation(
      .opaqueUndeclared, .warning,
      "A string stands where the arguments are expected, and no option says how to read it.",
      cause: "Arguments that are serialized twice, or payload transparency without its options.",
      remedy: "Pass a list. With payload passthru mode, say so with ppt_scheme.",
      source: "WAMP, \"Payload Passthru Mode\""),
    Explanation(
      .pptShape, .warning,
      "The option ppt_scheme is set, but the arguments are not one binary value.",
      cause: "A payload that was not packed, though its options say so.",
      remedy: "The receiver will fail to unpack it. Pack the payload, or remove ppt_scheme.",
      source: "WAMP, \"Payload Passthru Mode\""),
    Explanation(
      .pptNotAnnounced, .error,
      "Payload passthru mode is used by a client that has not announced it.",
      cause: "HELLO without payload_passthru_mode among the features of the role.",
      remedy: "Announce it, or the router must abort the session.",
      source: "WAMP, \"Payload Passthru Mode\""),
    Explanation(
      .tracebackLeak, .warning, isSecurity: true,
      "ERROR carries a traceback.",
      cause: "A callee that runs with debugging switched on.",
      remedy: "Switch off the traceback in production (Autobahn: traceback_app)."),
  ]
}
