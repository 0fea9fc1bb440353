// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The topics of `explain verdicts`.
public enum CheckGuide {
  public static var topics: [Topic] {
    [
      Topic(
        Topic.Group("Output", "output"), "verdicts",
        "What a check comes to: wamptap check FILE.", label: "verdicts of check",
        aliases: ["verdict", "check", "inconclusive"],
        [
          Topic.Part("Verdicts", .lines(verdicts)), Topic.Part("Expectations", .lines(forms)),
          Topic.Part("Exit status", .lines(statuses)), Topic.Part("Examples", .lines(examples)),
        ], source: "wamptap-check(5)")
    ]
  }

  private static let verdicts = [
    "pass          it was checked, and holds",
    "fail          it is broken",
    "inconclusive  what decides was not captured: lost bytes, closed TLS, an open end",
    "nothing       nothing matched, so that nothing was checked",
  ]

  private static let forms = [
    "each: FILTER; answered: within TIME    each request gets its last answer",
    "count: FILTER; at-least: N             or at-most, exactly; per: session",
    "none: FILTER                           no message, finding or connection matches",
    "latency: FILTER; p95: < TIME           min p50 p90 p95 p99 max mean; of-at-least: N",
    "in-order: [FILTER, FILTER]             one after the other; within: TIME; per: session",
  ]

  private static let statuses = [
    "0  all pass", "1  something failed, was inconclusive, or had nothing to check",
    "2  inputs or expectations that cannot be read", "64 bad usage, or a wrong filter",
  ]

  private static let examples = [
    "wamptap check run.pcapng --fail-on warning",
    "wamptap check run.pcapng --expect 'each: CALL; answered: within 500ms'",
    "wamptap check run.pcapng --report junit=report.xml --report sarif=report.sarif",
    "wamptap check -i lo --for 30s --expect 'none: failed'",
  ]
}
