// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What is found where layers are chosen, explained.
enum InspectorFindings {
  static let all: [Explanation] = [
    Explanation(
      .handshakeMissing, .note,
      "The upgrade was not captured; WebSocket was recognised by its frames.",
      cause: "The capture began after the client had connected, or it lost the answer.",
      remedy: """
        Start the capture before the client connects. Until then the subprotocol and the \
        compression are not known, and the client is taken to be the side that masks.
        """,
      source: "RFC 6455 §4"),
    Explanation(
      .serializerUnknown, .warning,
      "The subprotocol is WAMP with a serializer that this version does not read.",
      cause: "The peers agreed on a serializer of their own, as some routers in Erlang do.",
      remedy: """
        Of its messages the size is shown. Let the client offer wamp.2.json only, if that is \
        possible, and capture again.
        """),
  ]
}
