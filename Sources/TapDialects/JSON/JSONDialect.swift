// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// JSON of an application that follows no known protocol.
public struct JSONDialect: Dialect {
  public init() {}

  public var name: StaticString { "json" }
  public var findings: [Explanation] { JSONFindings.all }

  public var takesMessageRules: Bool { true }
  public var topics: [Topic] {
    [
      Topic(
        Topic.Group("JSON of applications", "JSON of an application"), "JSON",
        "An object of an application that follows no protocol that is known here.",
        [
          .layout([#"{"type":"question","cid":"q-1","cmd":"list","params":{…}}"#]),
          .answers("what the other side asked under the same id"),
          .beware("Its kind, its id and its subject are inferred from the names of its members."),
          .example([#"{"type":"question","cid":"q-1","cmd":"list"}"#]),
        ], source: "wamptap")
    ]
  }

  public func recogniser(limits: Limits, _ scan: SharedScan) -> any Recogniser {
    JSONRecogniser(scan)
  }

  public func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    delivery.kind == .text && (JSONSecrets.isAny(in: bytes) || CallSecrets.isAny(in: bytes))
  }

  /// By the rule of a names file, or by the names of members.
  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    JSONApplications.layer(takenFor: name, opening, run)
      ?? Boxed(JSONLayer(opening, limits: run.limits))
  }

  /// The members of the object.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    JSONOutline.append(message, bytes, to: &rows)
  }
}
