// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The findings in mdoc(7), by the layers that tell them.
enum FindingsPage {
  static func list(of explanations: [Explanation]) -> String {
    let layers = Dictionary(grouping: explanations) { layer(of: $0) }
    var page = ""
    for layer in layers.keys.sorted() {
      page += ".Ss \(layer)\n.Bl -tag -width Ds\n"
      for explanation in layers[layer]! { page += entry(explanation) }
      page += ".El\n"
    }
    return page
  }

  private static func layer(of explanation: Explanation) -> String {
    String(explanation.code.name.split(separator: ".")[0])
  }

  private static func entry(_ explanation: Explanation) -> String {
    let severities = explanation.severities.map(\.name.description).joined(separator: " or ")
    let security = explanation.isSecurity ? ", security" : ""
    var entry = ".It Li \(explanation.code.name) Pq \(severities)\(security)\n"
    entry += sentences(explanation.text)
    entry += ".Pp\n.Em Usual cause :\n" + sentences(explanation.cause)
    entry += ".Pp\n.Em What to do :\n" + sentences(explanation.remedy)
    if !explanation.source.isEmpty { entry += ".Pp\n.Em Source :\n" + line(explanation.source) }
    return entry
  }

  /// Each on lines of its own, as mdoc(7) asks for.
  private static func sentences(_ text: String) -> String {
    text.replacing(". ", with: ".\n").split(separator: "\n").map { line(String($0)) }.joined()
  }

  /// Text, broken at 100 columns, without anything that roff understands.
  private static func line(_ text: String) -> String {
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
      let word = escaped(String(word))
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = word
      } else if last.count + 1 + word.count <= 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
    }
    // A line that begins with a dot or an apostrophe would be a request.
    return lines.map { ($0.first == "." || $0.first == "'" ? "\\&" : "") + $0 + "\n" }.joined()
  }

  private static func escaped(_ word: String) -> String {
    word.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "§": "\\(sc"
      case "→": "\\(->"
      case "-": word.hasPrefix("-") ? "\\-" : "-"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "`": "\\(ga"
      case "'": "\\(aq"
      default: scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
