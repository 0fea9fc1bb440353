// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapInputs
import TapLogs
import TapSources
import TapTraffic

/// One input from its first byte: holds the beginning until it is recognised, then decodes.
struct InputDecoder {
  private var input: (any Input)?
  private var head = Scratch()
  /// Bytes of the head that `settle` has looked at without recognising an input.
  private var lookedAt = 0
  private let path: String
  private let number: UInt16
  private let limits: Limits
  private let choice: InputChoice

  init(path: String, number: Int, limits: Limits, choice: InputChoice) {
    (self.path, self.limits, self.choice) = (path, limits, choice)
    self.number = UInt16(clamping: number)
  }

  /// It is a text in which messages are looked for.
  var isText: Bool { input is LogInput }

  /// It is known to be packets, and nothing else.
  var isCapture: Bool { input?.isCapture ?? false }

  /// Nothing has come.
  var isEmpty: Bool { input == nil && head.isEmpty }

  /// - Throws: `InputError` when the bytes are no evidence.
  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) throws(InputError) {
    if input != nil { return input!.receive(chunk, sink) }
    head.append(chunk)
    try recognise(isAll: false, sink)
  }

  /// The same for a chunk of a text whose lines another thread has found.
  mutating func receive(
    _ chunk: RawSpan, _ survey: LogSurvey, _ sink: any EvidenceSink
  ) throws(InputError) {
    if input == nil { return try receive(chunk, sink) }
    input?.receive(chunk, survey, sink)
  }

  /// Where the first of what waits for more lines begins; nil where nothing does.
  var waiting: UInt64? {
    input.map(\.waiting) ?? (head.count > lookedAt ? UInt64(lookedAt) : nil)
  }

  /// Nothing more has come for a while: decides on what is there.
  mutating func settle(_ sink: any EvidenceSink) {
    if input == nil {
      lookedAt = head.count
      let found = Inputs.recognise(
        linesOf: head.bytes, input: number, limits: limits, choice: choice)
      if case .input(let found) = found { decode(as: found, sink) }
    }
    input?.settle(sink)
  }

  mutating func finish(_ sink: any EvidenceSink) throws(InputError) {
    if input == nil {
      if head.isEmpty { throw InputError(path: path, .empty) }
      try recognise(isAll: true, sink)
    }
    input?.finish(sink)
  }

  /// Another file of the same name follows. A log goes on in it, with a line of its own; anything
  /// else begins anew.
  ///
  /// - Returns: bytes that were held and are not understood.
  mutating func restart(_ sink: any EvidenceSink) -> Int {
    if input == nil && !head.isEmpty { try? recognise(isAll: true, sink) }
    if input is LogInput || input is PasteInput || input is PacketTextInput {
      let end: [UInt8] = [.lineFeed]
      input!.receive(end.span.bytes, sink)
      return 0
    }
    input?.finish(sink)
    let lost = head.count
    (input, head, lookedAt) = (nil, Scratch(), 0)
    return lost
  }

  private mutating func recognise(isAll: Bool, _ sink: any EvidenceSink) throws(InputError) {
    switch Inputs.recognise(head.bytes, isAll: isAll, input: number, limits: limits, choice: choice)
    {
    case .needMore:
      if isAll { throw InputError(path: path, .notUnderstood) }
    case .unknown: throw InputError(path: path, .notUnderstood)
    case .input(let found): decode(as: found, sink)
    }
  }

  private mutating func decode(as found: any Input, _ sink: any EvidenceSink) {
    let held = head
    (head, lookedAt) = (Scratch(), 0)
    input = found
    input!.receive(held.bytes, sink)
  }
}
