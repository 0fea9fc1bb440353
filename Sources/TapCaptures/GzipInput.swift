// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
internal import TapInflate
public import TapTraffic

/// Any other input, compressed with gzip (RFC 1952): inflates it and passes the content to the
/// recognition of inputs.
public struct GzipInput: InputKind {
  public static let name: StaticString = "gzip"

  /// A file may be compressed twice by mistake; deeper nesting is a decompression bomb.
  private static let deepest = 2

  private let reader: GunzipReader
  private let place: Place
  private var inner: Unwrapped
  private var isDamaged = false

  public init?(_ place: Place, limits: Limits) {
    guard place.depth < Self.deepest, let reader = GunzipReader() else { return nil }
    self.reader = reader
    self.place = place
    inner = Unwrapped(of: Self.name, in: place, limits)
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    // ID1, ID2 and CM, the only defined compression method.
    let magic: [UInt8] = [0x1F, 0x8B, 8]
    for index in 0..<min(3, head.byteCount) where head.byte(at: index) != magic[index] {
      return .no
    }
    if head.byteCount >= 3 { return .yes }
    return isAll ? .no : .undecided
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if isDamaged { return }
    let outcome = reader.receive(chunk) { inner.receive($0, sink) }
    if case .damaged(let offset) = outcome {
      isDamaged = true
      var finding = Finding(
        .gzipDamaged, .warning, place.origin(offset),
        "the gzip stream is damaged: its data or its checksum is wrong at \(place.byte(offset))"
          + " (compressed); what was read before may be wrong, and what follows is not read"
      ).cutting
      finding.endsEvidence = true
      sink.finding(finding)
    }
  }

  public var isCapture: Bool { inner.isCapture }
  public var waiting: UInt64? { inner.waiting }
  public mutating func settle(_ sink: any EvidenceSink) { inner.settle(sink) }

  public mutating func finish(_ sink: any EvidenceSink) {
    if case .truncated(let offset) = reader.finish() {
      sink.finding(
        Finding(
          .gzipTruncated, .warning, place.origin(offset),
          "the gzip stream ends too early, at \(place.byte(offset)) (compressed)"
        ).cutting)
    }
    inner.finish(sink)
    if inner.isUnknown {
      sink.finding(
        .gzipUnknownContent, .error, place.origin(0),
        "what was compressed by gzip is no capture that can be read:"
          + " \(counted(inner.count, "byte")) skipped")
    }
  }
}
