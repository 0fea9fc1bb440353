// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPOptionFindings``.
extension Finding.Code {
  static let optionType: Self = "wamp.option-type"
  static let optionValue: Self = "wamp.option-value"
  static let optionUnknown: Self = "wamp.option-unknown"
  static let optionMisplaced: Self = "wamp.option-misplaced"
  static let eligibleEmpty: Self = "wamp.eligible-empty"
  static let uriNotStrict: Self = "wamp.uri-not-strict"
  static let realmInvalid: Self = "wamp.realm-invalid"
  static let errorURIUnknown: Self = "wamp.error-uri-unknown-wamp"
  static let publishRefused: Self = "wamp.publish-unacked-refused"
}

/// Explanations of findings about options, Details and URIs of single messages.
enum WAMPOptionFindings {
  static let all: [Explanation] = [
    Explanation(
      .optionType, .error,
      "An option has a value of the wrong type.",
      cause: "A boolean as a string or a number, or a single value where a list is expected.",
      remedy: "Compare it with wamptap explain KEY. Routers refuse it, or take it for absent.",
      source: "WAMP, \"Message Definitions\""),
    Explanation(
      .optionValue, .error,
      "An option has a value that it may not have.",
      cause: "A misspelt match, mode or invoke, or a negative number.",
      remedy: "Use one of the values that are listed.",
      source: "WAMP, \"Message Definitions\""),
    Explanation(
      .optionUnknown, .note,
      "A key of Options or Details is unknown to the specification.",
      cause: "A misspelt key, or an extension that is not marked as one.",
      remedy: "Extensions begin with an underscore or x_. Receivers ignore unknown keys.",
      source: "WAMP, \"Extensibility\""),
    Explanation(
      .optionMisplaced, .warning,
      "An option stands on a message that does not have it.",
      cause: "Options of another request that were copied: exclude_me on CALL, match on PUBLISH.",
      remedy: "Remove it: it has no effect, and nothing says so.",
      source: "WAMP, \"Message Definitions\""),
    Explanation(
      .eligibleEmpty, .warning,
      "The list of eligible receivers is empty.",
      cause: "A filter that matched no session.",
      remedy: "Leave the key out to reach every subscriber; do not publish to none.",
      source: "WAMP, \"Subscriber Black- and Whitelisting\""),
    Explanation(
      .uriNotStrict, .note,
      "A URI has more in it than lower case letters, digits and underscores.",
      cause: "Names as they stand in the code: com.chat.getUser.",
      remedy: "It is allowed. Some routers are configured to refuse it.",
      source: "WAMP, \"URIs\""),
    Explanation(
      .realmInvalid, .error,
      "The realm of HELLO is not named as URIs are.",
      cause: "An empty variable, white space, or an empty component.",
      remedy: "Expect ABORT. Name the realm as a URI is named.",
      source: "WAMP, \"Realms, Sessions and Transports\""),
    Explanation(
      .errorURIUnknown, .note,
      "A reason under wamp. is none that the specification or a known implementation has.",
      cause: "A misspelt URI, or an application that uses the namespace of the protocol.",
      remedy: "Use a namespace of your own for errors of the application.",
      source: "WAMP, \"Predefined URIs\""),
    Explanation(
      .publishRefused, .warning,
      "PUBLISH will be refused, but asks for no acknowledgement, so the refusal is silent.",
      cause: "A topic that is malformed or reserved, or a client without the role publisher.",
      remedy: "Publish with acknowledge: true while you look for lost events.",
      source: "WAMP, \"Publish and Subscribe\""),
  ]
}
