// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPEventFindings``.
extension Finding.Code {
  static let publishNotEchoed: Self = "wamp.publish-not-echoed"
  static let publishUnacknowledged: Self = "wamp.publish-unacked"
  static let publishedUnrequested: Self = "wamp.published-unrequested"
  static let eventMissingTopic: Self = "wamp.event-missing-topic"
  static let eventTopicMismatch: Self = "wamp.event-topic-mismatch"
  static let eventDuplicate: Self = "wamp.event-duplicate"
  static let eventSelf: Self = "wamp.event-self"
  static let eventExcluded: Self = "wamp.event-excluded"
  static let retainedUnrequested: Self = "wamp.retained-unrequested"
  static let subscribeDuplicate: Self = "wamp.subscribe-duplicate"
  static let subscribedAfterPublish: Self = "wamp.subscribed-after-publish"
  static let revocationUnannounced: Self = "wamp.revocation-unannounced"
}

/// Explanations of findings about publications and their events.
enum WAMPEventFindings {
  static let all: [Explanation] = [
    Explanation(
      .publishNotEchoed, .note,
      "A session publishes to a topic that it is subscribed to, and does not get its own events.",
      cause: "The option exclude_me is true by default.",
      remedy: "Publish with exclude_me: false where the publisher shall get its own event.",
      source: "WAMP, \"Publisher Exclusion\""),
    Explanation(
      .publishUnacknowledged, .note,
      "PUBLISH asked for no acknowledgement.",
      cause: "The default of most clients.",
      remedy: "Publish with acknowledge: true where it matters; without it, a refusal is silent.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .publishedUnrequested, .error,
      "PUBLISHED came, but PUBLISH did not ask for it.",
      cause: "A router that acknowledges everything.",
      remedy: "Let the client ignore it; report it to the authors of the router.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .eventMissingTopic, .error,
      "EVENT of a pattern does not say which topic it is of.",
      cause: "A router that fills in Details.topic for exact subscriptions only, or never.",
      remedy: "The subscriber cannot know the topic. Report it to the authors of the router.",
      source: "WAMP, \"Pattern-based Subscriptions\""),
    Explanation(
      .eventTopicMismatch, .error,
      "The topic of EVENT does not match the pattern of its subscription.",
      cause: "A router that mixes subscriptions up, or matches prefixes by components.",
      remedy: "Report it to the authors of the router.",
      source: "WAMP, \"Pattern-based Subscriptions\""),
    Explanation(
      .eventDuplicate, .warning,
      "The same publication has come twice to the same subscription.",
      cause: "A router that lists a subscriber twice, or a cluster that forwards an event back.",
      remedy: "Report it to the authors of the router; let handlers bear it.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .eventSelf, .warning,
      "A publisher gets its own event, though it did not ask for it.",
      cause: "A router that does not know exclude_me.",
      remedy: "Expect your own events from this router, or filter them by the publication.",
      source: "WAMP, \"Publisher Exclusion\""),
    Explanation(
      .eventExcluded, .error,
      "An event comes to a session that its publisher excluded, or did not list as eligible.",
      cause: "A router that announces these lists and does not heed them.",
      remedy: "Report it to the authors of the router: others may see what is not for them.",
      source: "WAMP, \"Subscriber Black- and Whitelisting\""),
    Explanation(
      .retainedUnrequested, .warning,
      "A retained event came, but SUBSCRIBE did not ask for one.",
      cause: "A router that sends the retained event to every new subscriber.",
      remedy: "Let handlers look at Details.retained: the event is an old one.",
      source: "WAMP, \"Event Retention\""),
    Explanation(
      .subscribeDuplicate, .note,
      "A session subscribes again to a topic that it is subscribed to.",
      cause: "Two handlers for one topic, or a start-up that runs twice.",
      remedy: "The router gives the same id: one UNSUBSCRIBE ends both.",
      source: "WAMP, \"Publish and Subscribe\""),
    Explanation(
      .subscribedAfterPublish, .note,
      "A session was open when the event was published, but subscribed only afterwards.",
      cause: "An asynchronous start-up: the publisher does not wait for the subscriber.",
      remedy: "Wait for SUBSCRIBED before telling the publisher, or use retained events.",
      source: "WAMP, \"Event Retention\""),
    Explanation(
      .revocationUnannounced, .error,
      "The router took something back from a client that has not announced to know of it.",
      cause: "A router that does not look at the features of HELLO.",
      remedy: "The client will take it for a violation. Report it to the authors of the router.",
      source: "WAMP, \"Subscription Revocation\""),
  ]
}
