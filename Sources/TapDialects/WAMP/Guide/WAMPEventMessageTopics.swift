// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPEventMessageTopics {
  /// The messages of Publish & Subscribe.
  static let all: [Topic] = [
    WAMPGuide.message(
      16, "The publisher sends an event to the subscribers of a topic.",
      [
        .sender("publisher → broker"),
        .answered(
          """
          PUBLISHED or ERROR, but only if Options.acknowledge is true; otherwise nothing, not even \
          when it is refused
          """),
        .beware(
          """
          The publisher does not receive its own event, unless Options.exclude_me is false. A \
          PUBLISH that is not acknowledged may be refused without any trace.
          """), .example([#"[16,5,{"acknowledge":true},"com.chat.message",["hi"]]"#]),
      ], source: "WAMP, \"Publishing and Events\""),
    WAMPGuide.message(
      17, "The broker accepted a PUBLISH, and names the publication.",
      [
        .sender("broker → publisher"), .answers("PUBLISH with Options.acknowledge true"),
        .answered("nothing"),
        .beware("It does not say that anybody received the event. Its EVENTs may come before it."),
        .example([
          #"[16,5,{"acknowledge":true},"com.chat.message",["hi"]]"#, "[17,5,4429313566]",
        ]),
      ], source: "WAMP, \"Publishing and Events\""),
    WAMPGuide.message(
      32, "The client asks to receive the events of a topic, or of a pattern of topics.",
      [
        .sender("subscriber → broker"), .answered("SUBSCRIBED or ERROR"),
        .beware(
          """
          Options.match is exact unless it is prefix or wildcard. Prefixes are compared as text: \
          com.a also matches com.ab. Subscribing twice gives the same id again.
          """), .example([#"[32,11,{"match":"prefix"},"com.chat"]"#]),
      ], source: "WAMP, \"Subscribing and Unsubscribing\""),
    WAMPGuide.message(
      33, "The broker confirms a subscription and gives it the id that its EVENTs will carry.",
      [
        .sender("broker → subscriber"), .answers("SUBSCRIBE"), .answered("nothing; EVENTs follow"),
        .beware(
          """
          Only this message connects the id with the topic: EVENT and UNSUBSCRIBE carry the id \
          alone, so a client that loses it can no longer unsubscribe. All sessions that subscribe \
          to the same topic get the same id.
          """), .example([#"[32,11,{},"com.chat.message"]"#, "[33,11,5862354]"]),
      ], source: "WAMP, \"Subscribing and Unsubscribing\""),
    WAMPGuide.message(
      34, "The client wants no more events of a subscription.",
      [
        .sender("subscriber → broker"), .answered("UNSUBSCRIBED or ERROR"),
        .beware(
          """
          EVENTs may still arrive until UNSUBSCRIBED does. A second one for the same id fails with \
          wamp.error.no_such_subscription. The form with Options is of Autobahn alone.
          """), .example(["[34,12,5862354]"]),
      ], source: "WAMP, \"Subscribing and Unsubscribing\""),
    WAMPGuide.message(
      35, "The broker confirms the end of a subscription; with request 0, it has revoked one.",
      [
        .sender("broker → subscriber"), .answers("UNSUBSCRIBE, or nothing when it revokes"),
        .answered("nothing"),
        .causes("With request 0: an administrator, or a policy, removed the subscription."),
        .beware("A client that did not announce subscription_revocation is not notified."),
        .example([
          #"[34,12,5862354]"#, "[35,12]",
          #"[35,0,{"subscription":5862354,"reason":"moved"}]"#,
        ]),
      ], source: "WAMP, \"Subscribing and Unsubscribing\" and \"Subscription Revocation\""),
    WAMPGuide.message(
      36, "An event of a subscription.",
      [
        .sender("broker → subscriber"), .answered("nothing"),
        .causes("A client published to the topic; one EVENT for each subscription that matches."),
        .beware(
          """
          There is no request in it: the first id is that of the subscription, and the topic is \
          known only from its SUBSCRIBE, or from Details.topic for a pattern. All EVENTs of one \
          PUBLISH share the publication.
          """),
        .example([
          #"[32,11,{},"com.chat.message"]"#, "[33,11,5862354]",
          #"[36,5862354,4429313566,{},["hi"]]"#,
        ]),
      ], source: "WAMP, \"Publishing and Events\""),
    WAMPGuide.message(
      337, "The subscriber acknowledges an event. An extension of Autobahn.",
      [
        .sender("subscriber → broker"), .answers("EVENT with Details.x_acknowledged_delivery"),
        .answered("nothing"),
        .beware("It is not in the specification; other routers must abort the session."),
        .example(["[337,4429313566]"]),
      ], source: "Autobahn, \"Acknowledged Event Delivery\""),
  ]
}
