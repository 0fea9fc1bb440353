// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What a run has reported about its input, by its NDJSON: it cannot be found in the NDJSON again.
struct UnrepeatedFindings {
  /// How often, by its code.
  private var counts: [String: Int] = [:]
  private var first = Origin()
  private var severity = Finding.Severity.note
  /// Messages of any connection may be missing.
  private var lacksMessages = false
  /// More than there are codes.
  private static let mostCodes = 512

  /// - Parameters:
  ///   - isNote: of severity note, which counts only where messages are missing.
  ///   - isLoss: messages are missing or unreadable, of which connection is not known.
  mutating func add(_ code: String, _ origin: Origin, isNote: Bool, isLoss: Bool) {
    if isNote && !isLoss { return }
    if counts.isEmpty { first = origin }
    if !isNote { severity = .warning }
    if isLoss { lacksMessages = true }
    if counts.count < Self.mostCodes || counts[code] != nil { counts[code, default: 0] += 1 }
  }

  mutating func report(_ sink: any EvidenceSink) {
    if counts.isEmpty { return }
    let codes = counts.sorted { $0.key < $1.key }
      .map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value))" }
    let finding = Finding(
      .ndjsonUnrepeated, severity, first,
      "the run that wrote the NDJSON reported what only its input shows, and what is not found"
        + " again: \(codes.joined(separator: ", "))")
    sink.finding(lacksMessages ? finding.cutting : finding)
    self = UnrepeatedFindings()
  }
}

extension Finding.Code {
  static let ndjsonUnrepeated: Finding.Code = "ndjson.findings-not-repeated"
}
