// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// A call and its result: frames of both sides, one behind the other.
let bothFrames: [UInt8] =
  maskedFrame(#"[48,7,{},"com.user.get",[123]]"#) + plainFrame(#"[50,7,{},[{"karma":10}]]"#)

func plainFrame(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }

func maskedFrame(_ text: String) -> [UInt8] {
  let key: [UInt8] = [0xA1, 0x38, 0xA2, 0x61]
  let payload = text.utf8.enumerated().map { $1 ^ key[$0 & 3] }
  return [0x81, 0x80 | UInt8(text.utf8.count)] + key + payload
}

func hex(_ byte: UInt8) -> String {
  let digits = Array("0123456789abcdef")
  return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
}

/// The ways in which tools and people write bytes.
enum Dump {
  static func lines(_ bytes: [UInt8], _ width: Int = 16) -> [(offset: Int, bytes: [UInt8])] {
    stride(from: 0, to: bytes.count, by: width).map {
      ($0, Array(bytes[$0..<min($0 + width, bytes.count)]))
    }
  }

  static func offset(_ offset: Int, _ digits: Int, radix: Int = 16) -> String {
    let text = String(offset, radix: radix)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  static func text(_ bytes: [UInt8]) -> String {
    String(bytes.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." })
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func groups(_ bytes: [UInt8]) -> String {
    lines(bytes, 2).map { $0.bytes.map(hex).joined() }.joined(separator: " ")
  }

  static func pairs(_ bytes: [UInt8]) -> String { bytes.map(hex).joined(separator: " ") }

  static func xxd(_ bytes: [UInt8]) -> String {
    lines(bytes).map {
      "\(offset($0.offset, 8)): \(padded(groups($0.bytes), 39))  \(text($0.bytes))\n"
    }.joined()
  }

  static func tcpdump(_ bytes: [UInt8]) -> String {
    lines(bytes).map {
      "\t0x\(offset($0.offset, 4)):  \(padded(groups($0.bytes), 39))  \(text($0.bytes))\n"
    }.joined()
  }

  static func hexdump(_ bytes: [UInt8]) -> String {
    let rows = lines(bytes).map { line in
      let halves = lines(line.bytes, 8).map { pairs($0.bytes) }.joined(separator: "  ")
      return "\(offset(line.offset, 8))  \(padded(halves, 48))  |\(text(line.bytes))|\n"
    }
    return rows.joined() + "\(offset(bytes.count, 8))\n"
  }

  static func od(_ bytes: [UInt8]) -> String {
    let rows = lines(bytes).map { "\(offset($0.offset, 7, radix: 8)) \(pairs($0.bytes))\n" }
    return rows.joined() + "\(offset(bytes.count, 7, radix: 8))\n"
  }

  static func wireshark(_ bytes: [UInt8], indent: String = "") -> String {
    lines(bytes).map {
      "\(indent)\(offset($0.offset, 4))  \(padded(pairs($0.bytes), 47))   \(text($0.bytes))\n"
    }.joined()
  }

  static func plain(_ bytes: [UInt8]) -> String {
    lines(bytes, 30).map { $0.bytes.map(hex).joined() + "\n" }.joined()
  }

  static func escaped(_ bytes: [UInt8]) -> String { bytes.map { "\\x" + hex($0) }.joined() }

  static func cArray(_ bytes: [UInt8], _ name: String = "frames") -> String {
    "unsigned char \(name)[\(bytes.count)] = { /* one */\n  "
      + bytes.map { "0x" + hex($0) }.joined(separator: ", ") + "\n};\n"
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return lines(bytes, 3).map { line in
      let group = (line.bytes + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let all = [18, 12, 6, 0].map { letters[group >> $0 & 63] }
      let padding = String(repeating: "=", count: 3 - line.bytes.count)
      return String(all.prefix(line.bytes.count + 1)) + padding
    }.joined()
  }

  /// By the name of the kind that reads it.
  static let all: [(name: String, kind: String, text: String)] = [
    ("xxd", "dump", xxd(bothFrames)),
    ("tcpdump", "dump", tcpdump(bothFrames)),
    ("hexdump", "dump", hexdump(bothFrames)),
    ("od", "dump", od(bothFrames)),
    ("Wireshark", "dump", wireshark(bothFrames)),
    ("indented", "dump", wireshark(bothFrames, indent: "    ")),
    ("plain", "hex", plain(bothFrames)),
    ("pairs", "hex", pairs(bothFrames)),
    ("colons", "hex", bothFrames.map(hex).joined(separator: ":")),
    ("prefixed", "hex", bothFrames.map { "0x" + hex($0) }.joined(separator: ", ")),
    ("one prefix", "hex", "0x" + bothFrames.map(hex).joined()),
    ("capitals", "hex", bothFrames.map(hex).joined().uppercased()),
    ("escaped", "escaped", escaped(bothFrames)),
    ("literal", "escaped", "b\"" + escaped(bothFrames) + "\"\r\n"),
    ("blanks", "escaped", bothFrames.map { "\\x" + hex($0) }.joined(separator: " ")),
    ("C array", "c-array", cArray(bothFrames)),
    ("braces", "c-array", "{" + bothFrames.map { "0x" + hex($0) }.joined(separator: ",") + "}"),
    (
      "brackets", "c-array",
      "[ 0x81, 0x9e" + bothFrames.dropFirst(2).map { ", \($0)" }.joined()
        + " ]"
    ),
    ("base64", "base64", base64(bothFrames) + "\n"),
  ]
}
