// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks requests: how the client numbers them, calls in parts, and their outcome (wamp-proto,
/// "Protocol Violations", "Progressive Call Invocations").
struct WAMPRequestRules {
  /// Findings that are reported once per session.
  private struct Reported: OptionSet {
    let rawValue: UInt8
    static let reuse = Reported(rawValue: 1)
    static let partOptions = Reported(rawValue: 2)
  }

  var counter = WAMPCounter()
  var requests = WAMPRequests()
  /// The number of PUBLISH so far, and of unacknowledged ones, with their latest ids.
  private var publishCount = 0
  private var unacknowledgedCount = 0
  private var unacknowledged = ContiguousArray<UInt64>()
  private var reported: Reported = []

  /// The message type that a finding names with a request id.
  static func name(_ space: UInt8) -> StaticString { WAMPType(code: UInt64(space))?.name ?? "" }

  // MARK: - Numbers

  /// A request of the client.
  ///
  /// - Returns: whether it comes too late for the call that it belongs to.
  @inline(__always)
  mutating func isLate(
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) -> Bool {
    !counter.advance(to: message.first.key) && judge(&message, context, listener)
  }

  /// Counts a request that arrives after its answer.
  mutating func skip(_ id: UInt64) {
    if !counter.advance(to: id) { counter.resume(at: id) }
  }

  /// A request that is not the next one.
  ///
  /// - Returns: whether it comes too late for the call that it belongs to.
  @inline(never)
  private mutating func judge(
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) -> Bool {
    let (space, id) = (message.first.space, message.first.key)
    if requests[space, id] != nil { return false }
    if space == WAMPSpace.call, requests.isLatePart(space, id) {
      reportLatePart(&message, context, listener)
      return true
    }
    if !context.knowsAll {
      counter.resume(at: id)
      return false
    }
    if let other = requests.otherKind(space, id), !reported.contains(.reuse) {
      reported.insert(.reuse)
      context.report(
        .requestIDReuse, .warning, message, "request \(id) is open for a \(Self.name(other)) too",
        listener)
    }
    switch counter.judge(id) {
    case .fine: break
    case .late:
      context.report(
        .requestIDNotOne, .note, message, "the first request of the session is \(id), not 1",
        listener)
    case .gap(let last):
      context.report(
        .requestIDGap, .error, message, "request \(id) follows request \(last): ids were skipped",
        listener)
    case .irregular(let last):
      context.report(
        .requestIDGap, .note, message,
        "request \(id) follows request \(last): this client does not count up by one", listener)
    }
    return false
  }

  func reportLatePart(
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    context.report(
      .continuationLate, .note, message,
      "one more part of \(Self.name(message.first.space)) request \(message.first.key), which had"
        + " its answer before: it is discarded", listener)
  }

  // MARK: - Requests

  @inline(__always)
  mutating func count(publish id: UInt64, isAcknowledged: Bool) {
    publishCount &+= 1
    if isAcknowledged { return }
    if unacknowledged.isEmpty { unacknowledged = ContiguousArray(repeating: 0, count: 8) }
    unacknowledged[unacknowledgedCount & 7] = id
    unacknowledgedCount &+= 1
  }

  /// Whether this was a recent PUBLISH without acknowledgement.
  func isUnacknowledged(_ id: UInt64) -> Bool { unacknowledged.contains(id) }

  /// Reads the options of CALL, or the details of INVOCATION.
  static func call(
    _ options: ByteRange, _ bytes: RawSpan, _ plain: WAMPRequests.Request
  ) -> WAMPRequests.Request {
    var request = plain
    if JSON.value(of: "progress", in: options, bytes)?.kind == .yes {
      request.traits.formUnion([.isInParts, .hadParts])
    }
    if JSON.value(of: "receive_progress", in: options, bytes)?.kind == .yes {
      request.traits.insert(.takesProgress)
    }
    if let timeout = JSON.value(of: "timeout", in: options, bytes), timeout.kind == .natural {
      request.timeout = JSON.natural(bytes, timeout.range).flatMap { UInt32(exactly: $0) } ?? 0
    }
    return request
  }

  /// Opens a request that waits for an answer.
  @inline(__always)
  mutating func open(
    _ request: WAMPRequests.Request, _ options: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    if !requests.begin(message.first.space, message.first.key, request) {
      reopen(request, options, bytes, &message, context, listener)
    }
  }

  /// A request with the id of an open request of the same kind: another part of it, or a fault.
  @inline(never)
  private mutating func reopen(
    _ request: WAMPRequests.Request, _ options: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let (space, id) = (message.first.space, message.first.key)
    guard let known = requests[space, id] else { return }
    guard known.traits.contains(.isInParts) else {
      if !context.knowsAll { return }
      let isPart = request.traits.contains(.isInParts)
      if isPart && space == WAMPSpace.invocation { return }
      return context.report(
        isPart ? .continuationNonprogressive : .requestIDDuplicate, .error, message,
        isPart
          ? "one more part of CALL request \(id), whose first part did not say that more follow"
          : "request \(id) is still open for another \(message.name)", listener)
    }
    if space == WAMPSpace.call { checkPart(known, options, bytes, &message, context, listener) }
    // The last part lacks `progress`.
    if !request.traits.contains(.isInParts) { requests.complete(space, id) }
  }

  private mutating func checkPart(
    _ known: WAMPRequests.Request, _ options: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    if known.object != 0 && known.object != bytes[message.subject].fingerprint {
      context.report(
        .continuationProcedureChanged, .error, message,
        "one more part of CALL request \(message.first.key), but for another procedure than the"
          + " first", listener)
    }
    guard let options, !reported.contains(.partOptions) else { return }
    var members = JSON.Members(of: options)
    while let member = members.next(bytes) {
      if JSON.equals(bytes, member.key, "progress") { continue }
      reported.insert(.partOptions)
      return context.report(
        .continuationOptions, .note, message,
        "\(WAMPMessageRules.text(bytes, member.key)) counts only on the first part of a call: here "
          + "it is ignored", listener)
    }
  }

  // MARK: - What is open at the end

  /// Reports requests of the client without an answer in the capture; it may have come after the
  /// capture.
  func reportUnanswered(
    _ origin: Origin, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    for space in WAMPRequests.spaces where space != WAMPSpace.invocation {
      let code: Finding.Code = space == WAMPSpace.call ? .callUnanswered : .requestUnanswered
      for (id, request) in requests.all(space) where !request.traits.contains(.isCanceled) {
        listener.finding(
          context.finding(
            code, .note, origin, "\(Self.name(space)) request \(id)", about: link(space, id),
            " had no answer when the capture ended"))
      }
    }
  }

  /// Reports requests without an answer at the end of the session.
  func reportOpen(_ origin: Origin, _ context: WAMPSessionContext, _ listener: any Listener) {
    for space in WAMPRequests.spaces {
      for (id, request) in requests.all(space) {
        guard let (code, words) = Self.lack(space, request.traits) else { continue }
        listener.finding(
          context.finding(
            code, .warning, origin, "\(Self.name(space)) request \(id)", about: link(space, id),
            words))
      }
    }
  }

  /// What an open request lacked; nil for a canceled INVOCATION, which needs no answer.
  private static func lack(
    _ space: UInt8, _ traits: WAMPRequests.Traits
  ) -> (Finding.Code, String)? {
    switch space {
    case WAMPSpace.call where traits.contains(.isCanceled):
      (.cancelUnanswered, " was canceled, but never answered")
    case WAMPSpace.call where traits.contains(.hadProgress):
      (.callNotFinished, " had results in parts, but never the last one")
    case WAMPSpace.call: (.callUnanswered, " was never answered")
    case WAMPSpace.invocation:
      traits.contains(.isCanceled) ? nil : (.invocationUnanswered, " was never answered")
    default: (.requestUnanswered, " was never answered")
    }
  }

  /// Reports how many PUBLISH were unacknowledged.
  func reportUnacknowledged(
    _ origin: Origin, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    if unacknowledgedCount == 0 { return }
    listener.finding(
      context.finding(
        .publishUnacknowledged, .note, origin,
        "\(unacknowledgedCount) of \(publishCount) PUBLISH asked for no acknowledgement: of those,"
          + " nobody knows whether the router took them"))
  }

  private func link(_ space: UInt8, _ id: UInt64) -> Link {
    Link(.opens, "request", id, space: space)
  }
}
