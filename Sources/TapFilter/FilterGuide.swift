// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The topics of `explain filter`, from the table that filters are checked against.
public enum FilterGuide {
  public static var topics: [Topic] {
    [
      Topic(
        Topic.Group("Output", "output"), "filter",
        "Which messages are shown: wamptap -Y 'latency > 200ms' FILE.", label: "display filter",
        aliases: ["display-filter", "-Y"],
        [
          Topic.Part("Form", .lines(forms)), Topic.Part("Fields", .lines(fields)),
          Topic.Part("Paths", .lines(paths)), Topic.Part("Whole exchanges", .lines(scopes)),
          Topic.Part("Examples", .lines(examples)),
        ], source: "wamptap-filter(7)")
    ]
  }

  private static let forms = [
    "FIELD == VALUE, != < <= > >=; ^= begins with, $= ends with, contains, ~ \"expression\"",
    "FIELD in {VALUE, VALUE..VALUE}; FIELD alone: it is there, or yes",
    "and, or, not, ( ); EVENT is name == EVENT; #2 is connection == 2; \"text\" is in the payload",
    "Durations have units: 200ms, 1.5s. Sizes may: 64KiB. Times: 11:42, 2026-11-25T11:42:07Z, +5s",
    "$name is a filter of the names file (filters:); $problems is always there",
  ]

  private static var fields: [String] {
    let width = FieldEntry.all.map { $0.name.count }.max() ?? 0
    return FieldEntry.all.map { entry in
      let name = entry.field == .id ? "ids.NAME" : entry.name
      return name + String(repeating: " ", count: width + 2 - name.count) + entry.summary
    } + ["request, subscription, registration and publication are ids.request and so on"]
  }

  private static let paths = [
    "args[0].user.id, kwargs.priority, payload.type (wherever it is found), options.acknowledge",
    "headers.NAME (STOMP), properties.NAME (MQTT), body[1]; [*] is any element; len(args)",
  ]

  private static let scopes = [
    "exchange(FILTER)    every message of an exchange in which one matches",
    "session(FILTER)     every message of such a session",
    "connection(FILTER)  every message of such a connection",
    "These, answered and unanswered read files twice; live, messages wait for what decides.",
  ]

  private static let examples = [
    "EVENT and subject ^= com.chat", "exchange(failed)",
    "latency > 200ms and not subject ^= com.slow",
    "CALL and unanswered", "args[0].user.id == 5", "payload contains \"karma\"",
    "time in {11:42..11:43}", "client == 10.0.0.0/8 and size > 64KiB",
    "severity >= warning or security",
  ]
}
