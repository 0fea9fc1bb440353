// SPDX-License-Identifier: Apache-2.0

/// The part of XML 1.0 that reports need, read strictly: whatever is not well-formed is nil.
struct StrictXML {
  struct Element {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [Element] = []

    /// Elements of this name, at any depth.
    func all(_ name: String) -> [Element] {
      children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }
  }

  private var left: Substring.UnicodeScalarView

  static func root(of text: String) -> Element? {
    var reader = StrictXML(left: text[...].unicodeScalars)
    guard reader.take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), let root = reader.element(),
      reader.left.allSatisfy({ $0 == "\n" })
    else { return nil }
    return root
  }

  private mutating func take(_ text: String) -> Bool {
    guard left.starts(with: text.unicodeScalars) else { return false }
    left = left.dropFirst(text.unicodeScalars.count)
    return true
  }

  private mutating func name() -> String? {
    let name = left.prefix { ("a"..."z").contains($0) }
    left = left.dropFirst(name.count)
    return name.isEmpty ? nil : String(name)
  }

  private mutating func element() -> Element? {
    guard take("<"), let name = name() else { return nil }
    var element = Element(name: name)
    while take(" ") {
      guard let key = self.name(), take("=\""), let value = content(until: "\""), take("\""),
        element.attributes.updateValue(value, forKey: key) == nil
      else { return nil }
    }
    if take("/>") { return element }
    guard take(">") else { return nil }
    while true {
      guard let text = content(until: "<") else { return nil }
      element.text += text
      if take("</") { return take("\(name)>") ? element : nil }
      guard let child = self.element() else { return nil }
      element.children.append(child)
    }
  }

  /// Text in which everything is a character of XML (section 2.2), and each `&` an entity.
  private mutating func content(until end: Unicode.Scalar) -> String? {
    var text = String.UnicodeScalarView()
    while let scalar = left.first, scalar != end {
      switch scalar {
      case "&":
        guard
          let entity = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\"")]
            .first(where: { left.starts(with: $0.0.unicodeScalars) }), take(entity.0)
        else { return nil }
        text.append(contentsOf: entity.1.unicodeScalars)
        continue
      case "<", "\u{FFFE}", "\u{FFFF}": return nil
      case "\u{0}"..."\u{1F}" where scalar != "\n" && scalar != "\t": return nil
      default: text.append(scalar)
      }
      left.removeFirst()
    }
    return left.isEmpty ? nil : String(text)
  }
}
