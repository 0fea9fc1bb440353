// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of the dictionaries of WAMP messages: Options, Details, Extra.
enum WAMPDictionary {
  /// The keys of Options, Details or Extra, or of a dictionary inside of them.
  ///
  /// - Parameters:
  ///   - code: of the message's type.
  ///   - inside: the key of the nested dictionary; empty for the message's own dictionary.
  static func append(
    _ dictionary: ByteRange, of code: UInt64, inside: StaticString = "", depth: UInt8 = 1,
    _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    var members = JSON.Members(of: dictionary)
    while let member = members.next(bytes) {
      if rows.count >= Limits.standard.outlineLines {
        return rows.append(.more(depth: depth))
      }
      var row = OutlineRow("", .json, member.value.range, depth: depth)
      row.key = member.key
      let isOpened = member.value.kind == .object && !member.value.isEmptyContent
      guard let option = option(member.key, code, inside, bytes) else {
        row.meaning = stranger(member.key, bytes)
        rows.append(row)
        continue
      }
      row.meaning = option.meaning
      row.isExtension = option.isExtension
      if !option.accepts(member.value.kind) { row.remark = mustBe(option.kind) }
      if isOpened && JSON.equals(bytes, member.key, "roles") {
        row.kind = .heading
        rows.append(row)
        append(roles: member.value.range, depth: depth + 1, bytes, &rows)
      } else if isOpened && JSON.equals(bytes, member.key, "authextra") {
        row.kind = .heading
        rows.append(row)
        append(
          member.value.range, of: code, inside: "authextra", depth: depth + 1, bytes,
          to: &rows)
      } else {
        rows.append(row)
      }
    }
  }

  private static func option(
    _ key: ByteRange, _ code: UInt64, _ inside: StaticString, _ bytes: RawSpan
  ) -> WAMPOption? {
    if inside.utf8CodeUnitCount == 0 { return WAMPOption.of(code, key, bytes) }
    return WAMPOption.all.first {
      $0.inside.equals(inside) && $0.codes.contains(code) && JSON.equals(bytes, key, $0.key)
    }
  }

  /// Extension keys begin with an underscore (wamp-proto, "Extensibility"); some implementations
  /// use `x_`.
  private static func stranger(_ key: ByteRange, _ bytes: RawSpan) -> StaticString {
    let name = bytes[key]
    let isMarked = name.starts(with: "_") || name.starts(with: "x_")
    return isMarked ? "an extension that is not known here" : "unknown to the specification"
  }

  private static func mustBe(_ kind: WAMPOption.Kind) -> StaticString {
    switch kind {
    case .boolean: "must be true or false"
    case .integer: "must be an integer"
    case .id: "must be an id"
    case .string: "must be a string"
    case .uri: "must be a URI"
    case .list: "must be a list"
    case .dictionary: "must be a dictionary"
    case .anything: ""
    }
  }

  /// `roles`: each with its features.
  private static func append(
    roles: ByteRange, depth: UInt8, _ bytes: RawSpan, _ rows: inout ContiguousArray<OutlineRow>
  ) {
    var members = JSON.Members(of: roles)
    while let member = members.next(bytes) {
      if rows.count >= Limits.standard.outlineLines {
        return rows.append(.more(depth: depth))
      }
      var row = OutlineRow("", .json, member.value.range, depth: depth)
      row.key = member.key
      row.meaning =
        WAMPFeature.roles.first { JSON.equals(bytes, member.key, $0.key) }?.meaning
        ?? stranger(member.key, bytes)
      guard member.value.kind == .object, !member.value.isEmptyContent else {
        rows.append(row)
        continue
      }
      row.kind = .heading
      rows.append(row)
      append(role: member.value.range, isFeatures: false, depth: depth + 1, bytes, &rows)
    }
  }

  /// The keys of a role, or of its `features`.
  private static func append(
    role: ByteRange, isFeatures: Bool, depth: UInt8, _ bytes: RawSpan,
    _ rows: inout ContiguousArray<OutlineRow>
  ) {
    var members = JSON.Members(of: role)
    while let member = members.next(bytes) {
      if rows.count >= Limits.standard.outlineLines {
        return rows.append(.more(depth: depth))
      }
      var row = OutlineRow("", .json, member.value.range, depth: depth)
      row.key = member.key
      if !isFeatures && JSON.equals(bytes, member.key, "features") {
        row.meaning = "what the role can do beyond the basics"
        let isOpened = member.value.kind == .object && !member.value.isEmptyContent
        if isOpened { row.kind = .heading }
        if member.value.kind != .object { row.remark = "must be a dictionary" }
        rows.append(row)
        if isOpened {
          append(
            role: member.value.range, isFeatures: true, depth: depth + 1, bytes, &rows)
        }
        continue
      }
      let feature = WAMPFeature.index(of: member.key, bytes).map { WAMPFeature.all[$0] }
      row.meaning = feature?.meaning ?? stranger(member.key, bytes)
      let isBoolean = member.value.kind == .yes || member.value.kind == .no
      if feature != nil && !isBoolean { row.remark = "must be true or false" }
      // The specification puts `reflection` into the role itself.
      if feature != nil && !isFeatures && !JSON.equals(bytes, member.key, "reflection") {
        row.remark = "belongs in features"
      }
      rows.append(row)
    }
  }
}
