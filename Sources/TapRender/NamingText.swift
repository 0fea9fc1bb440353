// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Names that were given to values of a message, in the form of each output.
enum NamingText {
  /// The names for the line, beside the payload in which the values stand. Returns whether each
  /// character takes one byte and one column; empties `namings`.
  static func append(
    _ namings: inout ContiguousArray<NamedValue>, _ style: Style, _ text: inout TextBuffer
  ) -> Bool {
    var isSimple = true
    style.begin(.name, &text)
    for (index, naming) in namings.enumerated() {
      if index > 0 { text.append(", ") }
      if !text.append(escaping: naming.name.span.bytes) { isSimple = false }
    }
    style.end(&text)
    namings.removeAll()
    return isSimple
  }

  /// `,"names":{"type":"chatListUpdate"}`; empties `namings`.
  static func appendJSON(_ namings: inout ContiguousArray<NamedValue>, _ text: inout TextBuffer) {
    text.append(#","names":{"#)
    for (index, naming) in namings.enumerated() {
      if index > 0 { text.append(",") }
      text.append(jsonString: naming.field.span.bytes)
      text.append(":")
      text.append(jsonString: naming.name.span.bytes)
    }
    text.append("}")
    namings.removeAll()
  }

  /// `type: chatListUpdate`, for the row of a tree that has the value.
  static func append(_ naming: NamedValue, _ style: Style, _ text: inout TextBuffer) {
    text.append(escaping: naming.field.span.bytes)
    text.append(": ")
    style.begin(.name, &text)
    text.append(escaping: naming.name.span.bytes)
    style.end(&text)
  }
}
