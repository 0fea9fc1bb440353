// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// What the value of an option may be, and what it asks for.
extension WAMPOption {
  /// By the code of the message, without what stands deeper.
  private static let byCode: [[WAMPOption]] = (0...70).map { code in
    all.filter { $0.codes.contains(UInt64(code)) && $0.inside.utf8CodeUnitCount == 0 }
  }
  /// Their keys, to be searched without a copy of each.
  private static let keys = byCode.map { $0.map(\.key) }

  /// Messages whose options a client chooses.
  static let askers: [UInt64] = [16, 32, 48, 49, 64, 70]

  /// The option of this message; nil when it has none of this name.
  static func of(_ code: UInt64, _ key: ByteRange, _ bytes: RawSpan) -> WAMPOption? {
    guard code < UInt64(byCode.count) else { return nil }
    let name = bytes[key]
    let isPlain = name.firstIndex(of: .backslash) == nil
    return keys[Int(code)].firstIndex { isPlain ? name.equals($0) : JSON.equals(bytes, key, $0) }
      .map { byCode[Int(code)][$0] }
  }

  /// The message that has an option of this name.
  static func home(of key: ByteRange, _ bytes: RawSpan) -> StaticString? {
    for code in askers where of(code, key, bytes)?.isExtension == false {
      return WAMPType(code: code)?.name
    }
    return nil
  }

  /// Whether the elements of a list are what they must be.
  func acceptsElements(of value: JSONElement, _ bytes: RawSpan) -> Bool {
    guard let element, value.kind == .array else { return true }
    var elements = JSON.Members(ofArray: value.range)
    while let member = elements.next(bytes) {
      let kind = member.value.kind
      let fits =
        element == .string ? kind == .string : kind == .natural || kind == .number
      if !fits { return false }
    }
    return true
  }

  /// What a value had to be that is of the right type but none of those allowed.
  func fault(of value: JSONElement, _ bytes: RawSpan) -> String? {
    if kind == .integer && value.kind == .number && bytes.byte(at: value.range.start) == .hyphen {
      return "no less than 0"
    }
    if values.isEmpty || value.kind != .string { return nil }
    if values.contains(where: { JSON.equals(bytes, value.content, $0) }) { return nil }
    let names = values.map(\.description).joined(separator: ", ")
    return "one of \(names); it is \(WAMPMessageRules.text(bytes, value.content))"
  }

  /// Whether the value is another than what is done without it.
  func asksFor(_ value: JSONElement, _ bytes: RawSpan) -> Bool {
    if feature.utf8CodeUnitCount == 0 { return false }
    switch value.kind {
    case .yes: return !isTrueWhenAbsent
    case .no: return isTrueWhenAbsent
    case .string:
      return !(values.first.map { JSON.equals(bytes, value.content, $0) } ?? value.isEmptyContent)
    case .natural: return JSON.natural(bytes, value.range) != 0
    case .array: return !value.isEmptyContent
    default: return false
    }
  }
}
