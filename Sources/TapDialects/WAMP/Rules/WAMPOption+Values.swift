// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The allowed values of an option, and the feature that a value needs.
extension WAMPOption {
  /// By message code, without the keys of nested dictionaries.
  private static let byCode: [[WAMPOption]] = (0...70).map { code in
    all.filter { $0.codes.contains(UInt64(code)) && $0.inside.utf8CodeUnitCount == 0 }
  }
  /// Their keys, to search without copying each option.
  private static let keys = byCode.map { $0.map(\.key) }

  /// Messages with options that a client sends.
  static let askers: [UInt64] = [16, 32, 48, 49, 64, 70]

  /// The option of a message with this key; nil when it has none.
  static func of(_ code: UInt64, _ key: ByteRange, _ bytes: RawSpan) -> WAMPOption? {
    guard code < UInt64(byCode.count) else { return nil }
    let name = bytes[key]
    let isPlain = name.firstIndex(of: .backslash) == nil
    return keys[Int(code)].firstIndex { isPlain ? name.equals($0) : JSON.equals(bytes, key, $0) }
      .map { byCode[Int(code)][$0] }
  }

  /// The first message type that has an option with this key.
  static func home(of key: ByteRange, _ bytes: RawSpan) -> StaticString? {
    for code in askers where of(code, key, bytes)?.isExtension == false {
      return WAMPType(code: code)?.name
    }
    return nil
  }

  /// Whether the elements of a list are of the right kind.
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

  /// For a value of the right type that is not allowed: what it must be.
  func fault(of value: JSONElement, _ bytes: RawSpan) -> String? {
    if kind == .integer && value.kind == .number && bytes.byte(at: value.range.start) == .hyphen {
      return "no less than 0"
    }
    if values.isEmpty || value.kind != .string { return nil }
    if values.contains(where: { JSON.equals(bytes, value.content, $0) }) { return nil }
    let names = values.map(\.description).joined(separator: ", ")
    return "one of \(names); it is \(WAMPMessageRules.text(bytes, value.content))"
  }

  /// Whether the value differs from the default, so that it needs the option's feature.
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
