// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What programs have printed that stands on a line in the strings of a record, or else in the
/// fields of a table, as far as it may hold a message that is no list.
struct PrintedText {
  private var strings: RecordString.Strings?
  private var fields = CSVField.Fields()

  private let leads: LogLeads

  init(_ line: RawSpan, _ leads: LogLeads) {
    self.leads = leads
    strings = line.firstIndex(of: 0x7B).map { RecordString.Strings(from: $0) }
  }

  /// The next one, and where it stands with its first quotation mark.
  ///
  /// - Parameter mayBeField: those before it were no messages.
  mutating func next(_ line: RawSpan, mayBeField: Bool) -> (text: Scratch, range: Range<Int>)? {
    while let string = strings?.next(line) {
      if let text = string.text(line), mayHoldMessage(text.bytes) {
        return (text, string.open..<string.close)
      }
    }
    if strings != nil {
      if !mayBeField { return nil }
      strings = nil
    }
    while let (text, range) = fields.next(line) {
      if mayHoldMessage(text.bytes) { return (text, range) }
    }
    return nil
  }

  private func mayHoldMessage(_ text: RawSpan) -> Bool {
    LogFormats.hasFrame(text) || leads.survey(text).hasAnchor
      || leads.packets.next(text, from: 0) != nil
      || leads.objects.areAll && text.firstIndex(of: 0x7B) != nil
  }

  /// Whether a line may be a record, or of a table: its first string is in no list.
  static func mayBegin(_ line: RawSpan) -> Bool {
    guard let quote = line.firstIndex(of: 0x22) else { return false }
    if quote == 0 { return true }
    switch line.byte(at: quote - 1) {
    case 0x7B, 0x2C, 0x3B, 0x09, 0x7C: return line.extracting(0..<quote).firstIndex(of: 0x5B) == nil
    default: return false
    }
  }
}
