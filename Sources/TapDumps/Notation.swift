// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
internal import TapTraffic

/// What a character of a text adds to the bytes that the text stands for.
enum Mark: Equatable {
  case octet(UInt8)
  /// So many bytes that cannot be known; nil when their number is not known.
  case hole(Int?, Trouble?)
  /// Something that is no part of the notation and stands for nothing.
  case remark
  /// Bytes that follow belong together, and not to those before. If it names a side, the bytes
  /// before of that side go on.
  case block(isSecond: Bool?, stated: Int?)

  enum Trouble { case badDigit, oddDigits }
}

/// A way to write bytes as text, read character by character, so that it is the same however the
/// text is cut.
protocol Notation {
  /// What `--input` calls it.
  static var name: StaticString { get }
  /// What is said of the input.
  static var title: String { get }
  /// See `InputKind.claim`.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim
  init()
  mutating func step(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>)
  /// The text ends.
  mutating func finish(_ marks: inout ContiguousArray<Mark>)
}

/// Notations of bytes without offsets.
public enum Notations {
  /// In the order in which they are tried.
  public static let inputs: [any InputKind.Type] = [
    NotationInput<FollowedRawNotation>.self, NotationInput<CArrayNotation>.self,
    NotationInput<EscapedNotation>.self, NotationInput<HexNotation>.self,
    NotationInput<Base64Notation>.self,
  ]
}

/// A text in some notation: gives the bytes on, and says where it is damaged.
struct NotationInput<Form: Notation>: InputKind {
  static var name: StaticString { Form.name }

  private var form = Form()
  private var decoded: Decoded
  private var marks: ContiguousArray<Mark> = []
  private var isSecond = false
  private var line = 1
  private var column = 0
  /// Bytes of text before this one.
  private var offset: UInt64 = 0
  private var isInRemark = false
  private let place: Place

  init(_ place: Place, limits: Limits) {
    self.place = place
    decoded = Decoded(place, limits)
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim { Form.claim(head, isAll: isAll) }

  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    for at in 0..<chunk.byteCount {
      let byte = chunk.byte(at: at)
      column += 1
      form.step(byte, &marks)
      take(sink)
      offset += 1
      if byte == .lineFeed { (line, column) = (line + 1, 0) }
    }
  }

  mutating func finish(_ sink: any EvidenceSink) {
    form.finish(&marks)
    take(sink)
    decoded.end(sink)
    let summary = decoded.summary
    sink.recognised(
      InputVerdict(summary.isEmpty ? Form.title : "\(Form.title), \(summary)"), place.origin(0))
  }

  private mutating func take(_ sink: any EvidenceSink) {
    if marks.isEmpty { return }
    for mark in marks {
      if mark != .remark { isInRemark = false }
      switch mark {
      case .octet(let octet): decoded.append(octet, isSecond: isSecond, sink)
      case .hole(let missing, let trouble):
        if let trouble { report(trouble, missing, sink) }
        decoded.gap(missing, isSecond: isSecond, sink)
      case .remark:
        if !isInRemark {
          let text = "line \(line), column \(column): this is none of the bytes; it is passed over"
          sink.finding(.dumpNotUnderstood, .warning, place.origin(offset), text)
        }
        isInRemark = true
      case .block(let side, let stated):
        if side == nil {
          decoded.end(sink)
          decoded.stated = stated
        }
        isSecond = side ?? false
      }
    }
    marks.removeAll(keepingCapacity: true)
  }

  private func report(_ trouble: Mark.Trouble, _ missing: Int?, _ sink: any EvidenceSink) {
    let where_ = "line \(line), column \(column): "
    let lost = missing.map { "\(counted(UInt64($0), "byte")) cannot be known" }
    let end = lost ?? "how many bytes are missing is not known"
    var finding: Finding
    switch trouble {
    case .badDigit:
      finding = Finding(
        .dumpBadDigit, .warning, place.origin(offset),
        where_ + "no byte is written like this; " + end)
    case .oddDigits:
      finding = Finding(
        .dumpOddDigits, .warning, place.origin(offset), where_ + "half a byte; " + end)
    }
    finding.lostBytes = UInt64(missing ?? 0)
    sink.finding(finding)
  }
}
