// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapCaptures
internal import TapDumps
public import TapEvidence
internal import TapExports
internal import TapLogs
public import TapTraffic

/// The kinds of evidence we read. The content decides, never the name of the file.
public enum Inputs: InputRegistry {
  /// In the order in which they are asked.
  static let all: [any InputKind.Type] = [
    PcapInput.self, PcapngInput.self, GzipInput.self, UTF16Input.self, HARInput.self,
    MitmproxyFlowInput.self, NetLogInput.self, NDJSONInput.self, DockerInput.self,
    JournalInput.self, RecordsInput.self, FramesInput.self, HexDumpInput.self,
    PrintedDumpInput.self, FollowedTextInput.self, FollowedRawInput.self,
    CArrayInput.self, EscapedInput.self, HexInput.self, Base64Input.self, PasteInput.self,
    PastedFramesInput.self, PacketTextInput.self, LogInput.self,
  ]

  /// What evidence may be said to be: the kinds of input, and the formats of logs.
  public static var names: [String] {
    all.map { "\($0.name)" } + LogInput.formats
  }

  /// The kind that was named.
  private static func chosen(_ place: Place) -> (any InputKind.Type)? {
    place.choice.input.map { name in all.first { "\($0.name)" == name } ?? LogInput.self }
  }

  /// What the kind that was named may be inside of.
  private static let wrappings: [any InputKind.Type] = [
    GzipInput.self, UTF16Input.self, DockerInput.self, JournalInput.self, RecordsInput.self,
  ]

  /// - Parameters:
  ///   - head: the file from its first byte, as far as it is there; the head of an empty file is
  ///     unknown.
  ///   - isAll: nothing follows `head`.
  ///   - input: the number of this input, which goes into every origin.
  public static func recognise(
    _ head: RawSpan, isAll: Bool, input: UInt16, limits: Limits,
    choice: InputChoice = InputChoice()
  ) -> InputRecognition {
    recognise(head, isAll: isAll, Place(input: input, choice: choice, Inputs.self), limits)
  }

  /// What evidence is of which no more has come for a while: its whole lines are taken for all of
  /// it. The beginning of anything else, and half a line, are shown more.
  public static func recognise(
    linesOf head: RawSpan, input: UInt16, limits: Limits, choice: InputChoice
  ) -> InputRecognition {
    recognise(linesOf: head, Place(input: input, choice: choice, Inputs.self), limits)
  }

  public static func recognise(
    linesOf head: RawSpan, _ place: Place, _ limits: Limits
  ) -> InputRecognition {
    var end = head.byteCount
    while end > 0, head.byte(at: end - 1) != .lineFeed { end -= 1 }
    guard (0..<end).contains(where: { !head.byte(at: $0).isJSONSpace }) else { return .needMore }
    if end < limits.undecidedBytes, all.contains(where: { $0.isUnfinished(head) }) {
      return .needMore
    }
    let found = recognise(head.extracting(0..<end), isAll: true, place, limits)
    if case .unknown = found { return .needMore }
    return found
  }

  public static func text(_ place: Place, _ limits: Limits) -> any Input {
    LogInput(place, limits: limits)
  }

  public static func file(_ head: RawSpan, _ place: Place, _ limits: Limits) -> (any Input)? {
    let kinds: [any InputKind.Type] = [
      PcapInput.self, PcapngInput.self, GzipInput.self, PasteInput.self,
    ]
    for kind in kinds where kind.claim(head, isAll: true) == .yes {
      return kind.init(place, limits: limits)
    }
    return nil
  }

  public static func recognise(
    _ head: RawSpan, isAll: Bool, _ place: Place, _ limits: Limits
  ) -> InputRecognition {
    // What is looked at is the same however much of the file came at once.
    let isEnough = head.byteCount >= limits.undecidedBytes
    let looked = head.extracting(0..<min(head.byteCount, limits.undecidedBytes))
    let chosen = chosen(place)
    for kind in chosen == nil ? all : wrappings {
      switch kind.claim(looked, isAll: isAll && !isEnough) {
      case .no: continue
      // Those that are asked earlier are more particular.
      case .undecided: if !isAll && !isEnough { return .needMore }
      case .yes:
        guard let input = kind.init(place, limits: limits) else { return .unknown }
        return .input(input)
      }
    }
    if let input = chosen?.init(place, limits: limits) { return .input(input) }
    return .unknown
  }
}
