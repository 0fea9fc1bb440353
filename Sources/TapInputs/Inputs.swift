// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapCaptures
internal import TapDumps
public import TapEvidence
internal import TapExports
internal import TapLogs
public import TapTraffic

/// The supported kinds of input. The content decides, never the file name.
public enum Inputs: InputRegistry {
  /// In the order in which they are tried.
  static let all: [any InputKind.Type] =
    [PcapInput.self, PcapngInput.self, GzipInput.self, UTF16Input.self] + ExportInputs.all + [
      NgrepInput.self, TcpflowInput.self, FramesInput.self, SavedStreamInput.self,
      HexDumpInput.self, PrintedDumpInput.self, FollowedTextInput.self,
    ] + Notations.inputs + [
      PasteInput.self, PastedFramesInput.self, PacketTextInput.self, LogInput.self,
    ]

  /// The names that the user may give: kinds of input, and log formats.
  public static var names: [String] {
    all.map { "\($0.name)" } + LogInput.formats
  }

  /// The kind that the user named.
  private static func chosen(_ place: Place) -> (any InputKind.Type)? {
    place.choice.input.map { name in all.first { "\($0.name)" == name } ?? LogInput.self }
  }

  /// The formats that may wrap the named kind.
  private static let wrappings: [any InputKind.Type] =
    [GzipInput.self, UTF16Input.self] + ExportInputs.collected

  /// - Parameters:
  ///   - head: the beginning of the file, as far as it is there; that of an empty file is unknown.
  ///   - isAll: nothing follows `head`.
  ///   - input: the number of this input, which goes into every origin.
  public static func recognise(
    _ head: RawSpan, isAll: Bool, input: UInt16, limits: Limits,
    choice: InputChoice = InputChoice()
  ) -> InputRecognition {
    recognise(head, isAll: isAll, Place(input: input, choice: choice, Inputs.self), limits)
  }

  /// Recognises an input that has paused: its complete lines are taken as the whole input. An
  /// incomplete line, or the beginning of a non-text format, needs more bytes.
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
      PcapInput.self, PcapngInput.self, GzipInput.self, PasteInput.self, PastedFramesInput.self,
    ]
    for kind in kinds where kind.claim(head, isAll: true) == .yes {
      return kind.init(place, limits: limits)
    }
    return nil
  }

  public static func recognise(
    _ head: RawSpan, isAll: Bool, _ place: Place, _ limits: Limits
  ) -> InputRecognition {
    // Look at the same bytes, however much of the file came at once.
    let isEnough = head.byteCount >= limits.undecidedBytes
    let looked = head.extracting(0..<min(head.byteCount, limits.undecidedBytes))
    let chosen = chosen(place)
    for kind in chosen == nil ? all : wrappings {
      switch kind.claim(looked, isAll: isAll && !isEnough) {
      case .no: continue
      // Wait, as kinds that are tried earlier are more specific.
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
