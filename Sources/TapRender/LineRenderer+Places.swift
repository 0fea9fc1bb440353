// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension LineRenderer.Options {
  /// Where a line of a log stands: `app.log:812`; `line 812` of what has no name.
  func append(place origin: Origin, to text: inout TextBuffer) {
    let input = Int(origin.input)
    let name = input < names.count ? names[input] : ""
    if name.isEmpty || name == "-" || name == "argument" {
      text.append("line ")
    } else {
      text.append(escaping: name)
      text.append(":")
    }
    text.append(decimal: origin.record)
  }
}

extension LineRenderer {
  /// Columns of a number before a line.
  private static let numberColumns = 6

  /// The number of the line, or the packet, that a message ended in; of several logs, with the
  /// name of the file.
  @inline(never)
  func number(_ origin: Origin, _ text: inout TextBuffer) {
    if origin.isLine && !options.inputs.isEmpty {
      options.append(place: origin, to: &text)
    } else if origin.record > 0 {
      text.append(decimal: origin.record, columns: Self.numberColumns)
    } else {
      text.append(spaces: Self.numberColumns)
    }
    text.append("  ")
  }
}
