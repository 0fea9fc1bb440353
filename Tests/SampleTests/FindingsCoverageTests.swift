// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapInputs
import TapInspector
import TapTesting
import TapTraffic
import Testing

/// What the program may find is shown by a sample, and the samples show what they say they do.
@Suite("Findings of the samples", .serialized) struct FindingsCoverageTests {
  private struct Found: Hashable {
    var code: String
    var severity: String
  }

  /// Codes without a sample: why, and the unit test that provokes them.
  private static let exceptions: [String: (why: String, file: String, test: String)] = [
    "tls.library-missing": (
      "needs a machine without libcrypto", "SampleTests/MissingLibraryTests.swift",
      "tls.library-missing"
    ),
    "wamp.signature-unchecked": (
      "needs a machine without libcrypto", "SampleTests/MissingLibraryTests.swift",
      "wamp.signature-unchecked"
    ),
    "capture.out-of-time": (
      "needs 16 MiB that wait", "TapInspectorTests/TimeOrderTests.swift", "capture.out-of-time"
    ),
    "tcp.connections-evicted": (
      "needs more than 65,536 connections", "TapTransportTests/StreamTests.swift",
      "tcp.connections-evicted"
    ),
    "http2.answer-late": (
      "needs more than 256 KiB ahead of an answer", "TapHTTPTests/HTTP2Tests.swift",
      "http2.answer-late"
    ),
    "http2.too-many-streams": (
      "needs more than 1024 open streams", "TapHTTPTests/HTTP2Tests.swift",
      "http2.too-many-streams"
    ),
    "socketio.attachments-too-large": (
      "needs a limit below the default", "TapDialectsTests/SocketIOTests.swift",
      "socketio.attachments-too-large"
    ),
    "rawsocket.message-too-large": (
      "needs a limit below the default", "TapRawSocketTests/FrameTests.swift",
      "rawsocket.message-too-large"
    ),
    "stream.message-too-long": (
      "needs more than 16 MiB of text", "TapFramingTests/FramedLayerTests.swift",
      "stream.message-too-long"
    ),
    "json.too-many-kinds": (
      "needs more than 4,096 kinds", "TapDialectsTests/JSONLayerTests.swift",
      "json.too-many-kinds"
    ),
    "export.order": (
      "needs more than 20 MiB of messages", "TapInputsTests/Exports/HARInputTests.swift",
      "export.order"
    ),
    "export.connections-evicted": (
      "needs more than 16,384 connections", "TapInputsTests/Exports/NDJSONInputTests.swift",
      "export.connections-evicted"
    ),
    "export.message-too-large": (
      "needs more than 16 MiB of text", "TapInputsTests/Exports/HARInputTests.swift",
      "export.message-too-large"
    ),
    "log.line-too-long": (
      "needs a line of more than 16 MiB", "TapInputsTests/Logs/LogInputTests.swift",
      "log.line-too-long"
    ),
    "stomp.frame-too-long": (
      "needs more than 16 MiB", "TapDialectsTests/STOMPTests.swift", "stomp.frame-too-long"
    ),
    "paste.too-large": (
      "needs more than 16 MiB of text", "TapInputsTests/Logs/PasteInputTests.swift",
      "paste.too-large"
    ),
    "mqtt.not-read": (
      "needs a packet of more than 16 MiB", "TapDialectsTests/MQTTPacketTests.swift",
      "mqtt.not-read"
    ),
    "mqtt.too-many-filters": (
      "needs more than 4,096 filters", "TapDialectsTests/MQTTPacketTests.swift",
      "mqtt.too-many-filters"
    ),
    "pcapng.too-large": (
      "needs a block of more than 16 MiB", "TapInputsTests/Captures/PcapngInputTests.swift",
      "pcapng.too-large"
    ),
  ]

  /// `static let gap: Finding.Code = "tcp.gap"` in any file of `Sources/`.
  private static let declared: Set<String> = {
    let sources = Sample.root.deletingLastPathComponent().appending(path: "Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)?.allObjects as? [String] ?? []
    var codes: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try? String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let declaration = /static let \w+: (?:Self|Finding\.Code) = "([a-z0-9]+\.[a-z0-9-]+)"/
      for match in (text ?? "").matches(of: declaration) { codes.insert(String(match.1)) }
    }
    return codes
  }()

  private static let guide = Guide(inputs: InputFindings.all)

  /// What the commands of a case find.
  private func findings(_ sample: Sample) throws -> Set<Found> {
    var found: Set<Found> = []
    for line in try sample.ndjson() {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object else { continue }
      if object["event"] as? String == "summary" { check(object) }
      guard object["event"] as? String == "finding" else { continue }
      found.insert(
        Found(
          code: try #require(object["code"] as? String),
          severity: try #require(object["severity"] as? String)))
    }
    return found
  }

  /// Every byte that was captured is reported, or counted under one reason why not.
  private func check(_ summary: [String: Any]) {
    let counts = summary["counts"] as? [String: Int] ?? [:]
    let fates = summary["bytes"] as? [String: Int] ?? [:]
    #expect(counts["payloadBytes"] == fates.values.reduce(0, +), "bytes are unaccounted for")
  }

  @Test("a case finds what its README says", arguments: Sample.all)
  func expectedCodes(_ sample: Sample) throws {
    if Sample.isUpdating { return }
    let found = try findings(sample)
    let codes = Set(found.map(\.code))
    let expected = try #require(sample.expectedCodes)
    #expect(codes.subtracting(expected).sorted() == [], "unexpected findings")
    #expect(expected.subtracting(codes).sorted() == [], "findings that do not happen")
    if expected.isEmpty { #expect(!found.contains { $0.severity == "error" }) }
    for one in found {
      let explanation = Self.guide.findings.first { $0.code.name == one.code }
      let severities = explanation?.severities.map(\.name.description) ?? []
      #expect(severities.contains(one.severity), "\(one.code) is explained as \(severities)")
    }
  }

  @Test("each code has a sample") func coverage() {
    let shown = Sample.all.reduce(into: Set<String>()) { $0.formUnion($1.expectedCodes ?? []) }
    #expect(Self.declared.count > 30, "the declarations were not found")
    let without = Self.declared.subtracting(shown).subtracting(Self.exceptions.keys)
    #expect(without.sorted() == [])
    #expect(shown.subtracting(Self.declared).sorted() == [], "codes that do not exist")
    #expect(shown.intersection(Self.exceptions.keys).sorted() == [], "exceptions without need")
  }

  @Test("exceptions have a unit test", arguments: exceptions.keys.sorted())
  func exception(_ code: String) throws {
    let exception = try #require(Self.exceptions[code])
    #expect(Self.declared.contains(code))
    let tests = Sample.root.deletingLastPathComponent().appending(path: "Tests")
    let text = try String(contentsOf: tests.appending(path: exception.file), encoding: .utf8)
    #expect(text.contains("\"\(exception.test)\""), "\(exception.file) no longer provokes \(code)")
  }
}
