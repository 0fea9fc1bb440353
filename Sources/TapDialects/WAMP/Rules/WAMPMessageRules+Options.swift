// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks of Options, Details and Extra: known keys, the messages they belong to, and their values.
extension WAMPMessageRules {
  @inline(never)
  mutating func checkOptions(
    _ options: ByteRange, _ array: inout WAMPArray, _ fingerprint: UInt64, _ bytes: RawSpan,
    _ message: inout Message, _ listener: any Listener
  ) -> UInt64 {
    let code = array.code!
    var features: UInt64 = 0
    var isInOrder = true
    // No finding was reported, not even one that is reported only once.
    var isQuiet = true
    let part = bytes.extracting(0..<options.end)
    var at = options.start + 1
    var step = WAMPDetails.Step()
    while let member = code <= WAMPCode.welcome
      ? array.details.next(bytes, &step) : JSON.next(part, &at, inObject: true)
    {
      guard let option = WAMPOption.of(code, member.key, bytes) else {
        isQuiet = false
        if !checkStranger(member.key, code, bytes, &message, listener) { isInOrder = false }
        continue
      }
      let value = member.value
      if !option.accepts(value.kind) || !option.acceptsElements(of: value, bytes) {
        isInOrder = false
        let words = option.element.map { "\(option.kind.description), each \($0.description)" }
        report(
          .optionType, .error, message,
          "\(option.key) of \(message.name) must be \(words ?? option.kind.description.description)"
            + (option.accepts(value.kind) ? "" : "; it is \(value.kind.description)"), listener)
        continue
      }
      if let fault = option.fault(of: value, bytes) {
        isInOrder = false
        report(
          .optionValue, .error, message, "\(option.key) of \(message.name) must be \(fault)",
          listener)
      }
      if option.asksFor(value, bytes), let bit = WAMPFeature.bit(of: option.feature) {
        features |= bit
      }
      if JSON.equals(bytes, member.key, "roles") {
        let roles = array.roles(bytes)
        if roles?.range != value.range || roles?.said.isInOrder != true {
          isQuiet = false
          checkRoles(value.range, bytes, &message, listener)
        }
      } else if code == WAMPCode.publish, value.isEmptyContent, value.kind == .array,
        bytes[member.key].starts(with: "eligible")
      {
        isInOrder = false
        report(
          .eligibleEmpty, .warning, message,
          "\(option.key) of PUBLISH is empty: no subscriber may get the event", listener)
      } else if bytes[member.key].starts(with: "ppt_scheme"), !value.isEmptyContent {
        // The payload must be checked each time.
        isInOrder = false
        checkPassthru(options, bytes, &message, listener)
      }
    }
    if code == WAMPCode.hello && isInOrder && isQuiet && features == 0 {
      shared.greetings.value.remember(fingerprint)
    }
    if !isInOrder && code > WAMPCode.welcome { familiar.forget(fingerprint) }
    return features
  }

  /// A key that is not an option of this message.
  ///
  /// - Returns: whether the dictionary need not be checked again.
  private mutating func checkStranger(
    _ key: ByteRange, _ code: UInt64, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) -> Bool {
    let name = bytes[key]
    if name.starts(with: "_") || name.starts(with: "x_") { return true }
    if WAMPOption.askers.contains(code), let home = WAMPOption.home(of: key, bytes) {
      report(
        .optionMisplaced, .warning, message,
        "\(Self.text(bytes, key)) is an option of \(home); on \(message.name) it has no effect",
        listener)
      return false
    }
    // In other messages, keys depend on the authentication method, or on the side that reports an
    // error.
    if code <= WAMPCode.welcome || code >= WAMPCode.publish,
      isFirst(.optionUnknown, name.fingerprint ^ code)
    {
      report(
        .optionUnknown, .note, message,
        "\(Self.text(bytes, key)) of \(message.name) is unknown to the specification:"
          + " others must ignore it", listener)
    }
    return true
  }

  /// Roles must be dictionaries, and their features true or false.
  private func checkRoles(
    _ roles: ByteRange, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    var members = JSON.Members(of: roles)
    while let role = members.next(bytes) {
      let name = Self.text(bytes, role.key)
      guard role.value.kind == .object else {
        report(
          .optionType, .error, message,
          "the role \(name) of \(message.name) must be a dictionary; it is"
            + " \(role.value.kind.description)", listener)
        continue
      }
      guard let features = JSON.value(of: "features", in: role.value.range, bytes) else { continue }
      guard features.kind == .object else {
        report(
          .optionType, .error, message,
          "the features of the role \(name) must be a dictionary; they are"
            + " \(features.kind.description)", listener)
        continue
      }
      var members = JSON.Members(of: features.range)
      while let feature = members.next(bytes) {
        let isKnown = WAMPFeature.index(of: feature.key, bytes) != nil
        let kind = feature.value.kind
        if isKnown && kind != .yes && kind != .no {
          report(
            .optionType, .error, message,
            "the feature \(Self.text(bytes, feature.key)) must be a boolean; it is"
              + " \(kind.description)", listener)
        }
      }
    }
  }
}
