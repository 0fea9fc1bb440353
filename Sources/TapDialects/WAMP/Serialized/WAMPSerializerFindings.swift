// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPSerializerFindings``.
extension Finding.Code {
  static let serializerRecognised: Self = "wamp.serializer-recognised"
  static let batchEmpty: Self = "wamp.batch-empty"
  static let batchTruncated: Self = "wamp.batch-truncated"
  static let batchSeparator: Self = "wamp.batch-separator-0x18"
  static let invalidUTF8: Self = "wamp.invalid-utf8"
  static let nonStringKey: Self = "wamp.non-string-key"
  static let duplicateKey: Self = "wamp.duplicate-key"
  static let beyondJSON: Self = "wamp.beyond-json"
  static let ubjsonAmbiguous: Self = "wamp.ubjson-ambiguous"
}

/// Explanations of findings about serializers other than JSON, and about batches.
enum WAMPSerializerFindings {
  static let all: [Explanation] = [
    Explanation(
      .serializerUnknown, .warning,
      "The subprotocol is WAMP with a serializer that this version does not read.",
      cause: "The peers agreed on a serializer of their own, as some routers in Erlang do.",
      remedy: """
        Of its messages the size is shown. Let the client offer wamp.2.json only, if that is \
        possible, and capture again.
        """),
    Explanation(
      .serializerRecognised, .note,
      "The serializer was not negotiated in this capture; it was recognised from the messages.",
      cause: "The capture began after the handshake, or the server chose no subprotocol.",
      remedy: "Start the capture before the client connects, and what was agreed upon is known.",
      source: "WAMP, \"WebSocket Transport\""),
    Explanation(
      .batchEmpty, .error,
      "A batch has no message, or an empty one.",
      cause: "An encoder that sends its queue also when nothing is in it.",
      remedy: "The receiver must fail the transport. Send only batches of at least one message.",
      source: "WAMP, \"Batched WebSocket transport\""),
    Explanation(
      .batchTruncated, .error, isLoss: true,
      "A batch ends before its last message does, or without the mark of its end.",
      cause: """
        A message sent without its length or its separator, as in the subprotocol that is not \
        batched, or lengths that count in another way.
        """,
      remedy: """
        In JSON, 0x1E follows every message, also the last one; in other serializers, a length of \
        four bytes, which does not count itself, precedes each message.
        """,
      source: "WAMP, \"Batched WebSocket transport\""),
    Explanation(
      .batchSeparator, .note,
      "The messages of a batch end with 0x18 instead of 0x1E.",
      cause: "Autobahn for Python writes \"\\30\", which is octal to Python and decimal to WAMP.",
      remedy: "None among peers of that kind. Others may wait for 0x1E and read nothing.",
      source: "WAMP, \"Batched WebSocket transport\""),
    Explanation(
      .invalidUTF8, .error,
      "A text in a binary serializer is no UTF-8.",
      cause: "An encoder that has no binary type and sends bytes as text.",
      remedy: """
        The text is shown as a binary value. Send it as one; of MessagePack that takes \
        version 5 of the format.
        """,
      source: "RFC 8949 §3.1; MessagePack, \"str format family\""),
    Explanation(
      .nonStringKey, .warning,
      "A dictionary has a key that is no string.",
      cause: "A table with numbers as keys, which MessagePack and CBOR can send.",
      remedy: "Use strings as keys: peers that use JSON can receive no others.",
      source: "WAMP, \"Serializers\""),
    Explanation(
      .duplicateKey, .warning,
      "A dictionary has the same key twice.",
      cause: """
        An encoder that writes the entries of a list as a dictionary, or a message that was put \
        together by hand.
        """,
      remedy: "Send each key once: which of the two values is used differs between decoders.",
      source: "RFC 8259 §4; RFC 8949 §5.6"),
    Explanation(
      .beyondJSON, .note,
      "A message has a value that JSON cannot express; the text says how it is shown.",
      cause: "A date, a tag, an extension or undefined of JavaScript in the payload.",
      remedy: "Peers that use another serializer receive something else, or nothing.",
      source: "WAMP, \"Serializers\""),
    Explanation(
      .ubjsonAmbiguous, .warning,
      "The message reads differently as UBJSON and as BJData, and nothing shows which it is.",
      cause: "Both go by the subprotocol wamp.2.ubjson; no message so far has told them apart.",
      remedy: """
        Autobahn for Python sends BJData since 26.6.1, and UBJSON before. Capture from the WELCOME \
        on, whose session id shows which it is.
        """,
      source: "not in the specification; seen in implementations"),
  ]
}
