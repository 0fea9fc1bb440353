// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reads what is one JSON object with members that no other kind has.
protocol JSONExport: JSONForm, SendableMetatype {
  /// What `--input` calls it.
  static var name: StaticString { get }
  /// For people.
  static var title: String { get }
  /// Names of members of the object, and of members of their values: one such pair is enough.
  static var marks: [(outer: StaticString, inner: StaticString)] { get }
  /// How many objects and arrays may be open at the end because the program that writes it is often
  /// killed.
  static var usualDepth: Int? { get }
  init(_ place: Place, _ limits: Limits)
  /// No more comes.
  mutating func finish(_ sink: any EvidenceSink)
}

/// An export that is read as it comes, and not held by itself.
struct JSONExportInput<Form: JSONExport>: InputKind {
  static var name: StaticString { Form.name }

  private let place: Place
  private var stream = JSONStream<Form>()
  private var reader: Form

  init(_ place: Place, limits: Limits) {
    (self.place, reader) = (place, Form(place, limits))
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    MarkProbe<Form>.claim(head, isAll: isAll)
  }

  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    stream.receive(chunk, &reader, sink)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    stream.finish(&reader, sink)
    reader.finish(sink)
    reportEnd(sink)
  }

  /// Says how the text ended, unless it ended well.
  private func reportEnd(_ sink: any EvidenceSink) {
    if let damage = stream.damage {
      let rest =
        stream.unread > 0 ? "; \(counted(stream.unread, "byte")) behind it are not read" : ""
      sink.finding(
        Finding(
          .exportDamaged, .warning, place.origin(damage.offset),
          "the \(Form.title) stops making sense at \(place.byte(damage.offset)):"
            + " \(damage.reason)\(rest)"
        ).cutting)
    } else if !stream.isWhole {
      let isUsual = Form.usualDepth != nil && stream.restsAt == Form.usualDepth
      sink.finding(
        Finding(
          .exportTruncated, isUsual ? .note : .warning, place.origin(stream.offset),
          "the \(Form.title) ends at \(place.byte(stream.offset)), before its closing brackets;"
            + (isUsual ? " nothing of it is missing before that" : " what is whole of it is read")
        ).cutting)
    }
  }
}
