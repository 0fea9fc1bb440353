// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// RFC 8259 written down once more, rule by rule: an oracle that shares nothing with the scanner.
struct Grammar {
  private let text: [UInt8]
  private var at = 0

  static func accepts(_ text: [UInt8]) -> Bool {
    var grammar = Grammar(text: text)
    return grammar.value() && grammar.at == text.count
  }

  private init(text: [UInt8]) { self.text = text }

  private mutating func take(_ allowed: String) -> Bool {
    guard at < text.count, allowed.utf8.contains(text[at]) else { return false }
    at += 1
    return true
  }

  private mutating func space() { while take(" \t\r\n") {} }

  private mutating func value() -> Bool {
    space()
    defer { space() }
    if take("[") { return members(until: "]", isObject: false) }
    if take("{") { return members(until: "}", isObject: true) }
    if take("\"") { return string() }
    for word in ["true", "false", "null"] where text[at...].starts(with: word.utf8) {
      at += word.utf8.count
      return true
    }
    return number()
  }

  private mutating func members(until end: String, isObject: Bool) -> Bool {
    space()
    if take(end) { return true }
    while true {
      if isObject {
        space()
        guard take("\""), string() else { return false }
        space()
        guard take(":") else { return false }
      }
      guard value() else { return false }
      if take(end) { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func string() -> Bool {
    while at < text.count {
      if take("\"") { return true }
      if take("\\") {
        if take("u") {
          for _ in 0..<4 { guard take("0123456789abcdefABCDEF") else { return false } }
        } else if !take("\"\\/bfnrt") {
          return false
        }
      } else {
        guard text[at] >= 0x20 else { return false }
        at += 1
      }
    }
    return false
  }

  private mutating func digits() -> Bool {
    guard take("0123456789") else { return false }
    while take("0123456789") {}
    return true
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0") { guard digits() else { return false } }
    if take(".") { guard digits() else { return false } }
    if take("eE") {
      _ = take("+-")
      guard digits() else { return false }
    }
    return true
  }
}

/// A random JSON text, with white space and without.
struct Document {
  var spaced = ""
  var compact = ""

  static func random(_ random: inout Seeded, depth: Int = 0) -> Document {
    var document = Document()
    switch Int.random(in: 0..<(depth > 4 ? 5 : 8), using: &random) {
    case 0: document.put(["true", "false", "null"].randomElement(using: &random)!)
    case 1: document.put(String(Int.random(in: 0...99_999, using: &random)))
    case 2:
      document.put(
        ["-1", "0", "-0", "1.5e3", "0.25", "1E-7", "12e+2"].randomElement(using: &random)!)
    case 3, 4: document.put(string(&random))
    case 5, 6:
      document.put("[")
      fill(&document, &random, depth, isObject: false)
      document.put("]")
    default:
      document.put("{")
      fill(&document, &random, depth, isObject: true)
      document.put("}")
    }
    return document
  }

  private static func fill(
    _ document: inout Document, _ random: inout Seeded, _ depth: Int, isObject: Bool
  ) {
    document.space(&random)
    for index in 0..<Int.random(in: 0...4, using: &random) {
      if index > 0 {
        document.put(",")
        document.space(&random)
      }
      if isObject {
        document.put(string(&random))
        document.space(&random)
        document.put(":")
        document.space(&random)
      }
      let inner = Document.random(&random, depth: depth + 1)
      document.spaced += inner.spaced
      document.compact += inner.compact
      document.space(&random)
    }
  }

  static func string(_ random: inout Seeded) -> String {
    let pieces = [
      "a", " ", "key", "\\n", "\\\"", "\\\\", "\\u00e9", "\\u2028", "é", "日本", "[", "}", ":", ",",
      "a long plain run of text", "/", "\\/",
    ]
    let count = Int.random(in: 0...4, using: &random)
    return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined() + "\""
  }

  mutating func put(_ text: String) {
    spaced += text
    compact += text
  }

  mutating func space(_ random: inout Seeded) {
    spaced += ["", "", " ", "\n  ", "\t", "\r\n"].randomElement(using: &random)!
  }
}
