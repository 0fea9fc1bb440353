// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks that only announced roles and features are used, by what both sides announced in HELLO
/// and WELCOME (wamp-proto, "Feature Announcement").
struct WAMPFeatureRules {
  /// What each side announced; nil until seen.
  private var client: WAMPAnnouncements?
  private var router: WAMPAnnouncements?
  /// The roles of both sides; all bits while they are not known. Roles already reported as missing
  /// are added.
  private var announcedRoles: UInt8 = 0xFF
  /// Features whose use was checked already.
  private var reportedFeatures: UInt64 = 0

  /// HELLO.
  mutating func greet(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: borrowing Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    checkAnnouncement(&array, bytes, message, context, listener)
    client = Self.announced(&array, bytes)
  }

  mutating func welcome(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: borrowing Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    checkAnnouncement(&array, bytes, message, context, listener)
    router = Self.announced(&array, bytes)
    guard let client, let router else { return }
    announcedRoles = client.roles | router.roles
  }

  /// Nil without roles: another finding says so, and what is used is not judged by what is missing.
  private static func announced(
    _ array: inout WAMPArray, _ bytes: RawSpan
  ) -> WAMPAnnouncements? {
    guard let announced = array.roles(bytes)?.said.announced, announced.roles != 0 else {
      return nil
    }
    return announced
  }

  private func checkAnnouncement(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: borrowing Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    if let roles = array.details.value(of: "roles", bytes),
      roles.kind == .object, !roles.isEmptyContent
    {
      return
    }
    context.report(
      .rolesMissing, .error, message,
      "\(message.name) announces no roles; it must name at least one", listener)
  }

  /// HELLO or WELCOME was truncated: what it announces is not known.
  mutating func forget(announcedBy code: UInt64) {
    if code == WAMPCode.hello { client = nil }
    if code == WAMPCode.welcome { router = nil }
    if code == WAMPCode.hello || code == WAMPCode.welcome { announcedRoles = 0xFF }
  }

  /// HELLO or WELCOME may have been missed.
  mutating func miss() { (client, router, announcedRoles) = (nil, nil, 0xFF) }

  /// The roles that a message needs: of its sender, and of the router.
  @inline(__always)
  private static func roles(_ code: UInt64) -> UInt8 {
    switch code {
    case WAMPCode.publish: WAMPAnnouncements.publisher | WAMPAnnouncements.broker
    case WAMPCode.subscribe: WAMPAnnouncements.subscriber | WAMPAnnouncements.broker
    case WAMPCode.call, WAMPCode.cancel: WAMPAnnouncements.caller | WAMPAnnouncements.dealer
    default: WAMPAnnouncements.callee | WAMPAnnouncements.dealer
    }
  }

  /// PUBLISH, SUBSCRIBE, CALL, REGISTER.
  @inline(__always)
  mutating func checkRoles(
    _ code: UInt64, _ message: inout Message, isAcknowledged: Bool = true,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let missing = Self.roles(code) & ~announcedRoles
    if missing != 0 {
      reportRoles(missing, &message, isAcknowledged: isAcknowledged, context, listener)
    }
  }

  /// Reports missing roles, each once per session.
  @inline(never)
  private mutating func reportRoles(
    _ missing: UInt8, _ message: inout Message, isAcknowledged: Bool,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    for (index, role) in WAMPFeature.roles.enumerated() where missing & 1 << UInt8(index) != 0 {
      announcedRoles |= 1 << UInt8(index)
      let side = index < 4 ? "this client" : "this router"
      context.report(
        .roleNotAnnounced, .warning, message,
        "\(message.name), but \(side) has not announced the role \(role.key)", listener)
    }
    if !isAcknowledged {
      context.report(
        .publishRefused, .warning, message,
        "the router may refuse this PUBLISH silently: it asks for no"
          + " acknowledgement", listener)
    }
  }

  /// The options of a request, or the request itself, need features.
  @inline(never)
  mutating func use(
    _ features: UInt64, _ code: UInt64, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard message.origin.direction == .toServer, let client, let router else { return }
    let fresh = features & ~reportedFeatures
    if fresh == 0 { return }
    reportedFeatures |= fresh
    let roles = Self.roles(code)
    for (index, feature) in WAMPFeature.all.enumerated()
    where fresh & 1 << UInt64(index) != 0 {
      let bit = Self.spellings(1 << UInt64(index))
      let isPassthru = bit == Self.passthru
      // The client must announce these two before it uses them, even if the router does not know
      // them.
      let isStrict = isPassthru || bit == Self.progressiveInvocations
      let isOfRouter =
        feature.has(
          roles & WAMPAnnouncements.broker != 0 ? UInt8(ascii: "B") : UInt8(ascii: "D"))
      let isOfClient = feature.has(Self.letter(roles))
      if isOfRouter && router.features & bit == 0 {
        context.report(
          .featureNotAnnounced, .warning, message,
          "\(message.name) uses \(feature.key), which this router has not announced: it may have"
            + " no effect", listener)
        if !isStrict { continue }
      }
      if isOfClient && client.features & bit == 0 {
        context.report(
          isPassthru ? .pptNotAnnounced : .featureNotAnnounced, isStrict ? .error : .note,
          message,
          "\(message.name) uses \(feature.key), which this client has not announced", listener)
      }
    }
  }

  /// The router has announced that publishers choose who receives an EVENT.
  var listsReceivers: Bool { router.map { $0.features & Self.listing != 0 } ?? false }

  /// UNSUBSCRIBED or UNREGISTERED of request 0.
  func checkRevocation(
    _ link: Link, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    let isTopic = link.space == WAMPSpace.subscription
    let bit = isTopic ? Self.subscriptionRevocation : Self.registrationRevocation
    guard let client, client.features & bit == 0 else { return }
    context.report(
      .revocationUnannounced, .error, message,
      "this client has not announced \(isTopic ? "subscription" : "registration")_revocation: it"
        + " does not know such a \(message.name)", listener)
  }

  /// The letter of the client's role, as in `WAMPFeature.roles`.
  private static func letter(_ roles: UInt8) -> UInt8 {
    if roles & WAMPAnnouncements.publisher != 0 { return UInt8(ascii: "P") }
    if roles & WAMPAnnouncements.subscriber != 0 { return UInt8(ascii: "S") }
    if roles & WAMPAnnouncements.caller != 0 { return UInt8(ascii: "C") }
    return UInt8(ascii: "E")
  }

  private static let listing = WAMPFeature.bit(of: "subscriber_blackwhite_listing") ?? 0
  private static let passthru = WAMPFeature.bit(of: "payload_passthru_mode") ?? 0
  private static let progressiveInvocations =
    WAMPFeature.bit(of: "progressive_call_invocations") ?? 0
  /// Needed by CANCEL itself, not by an option.
  static let canceling = WAMPFeature.bit(of: "call_canceling") ?? 0
  private static let cancelling = WAMPFeature.bit(of: "call_cancelling") ?? 0
  private static let subscriptionRevocation = WAMPFeature.bit(of: "subscription_revocation") ?? 0
  private static let registrationRevocation = WAMPFeature.bit(of: "registration_revocation") ?? 0

  /// Implementations use two spellings of canceling.
  private static func spellings(_ bit: UInt64) -> UInt64 {
    bit == canceling ? canceling | cancelling : bit
  }
}
