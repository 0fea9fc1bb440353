// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Calls that come in parts, and calls that take long (wamp-proto, "Progressive Call Invocations").
extension WAMPSessionRules {
  /// A call is called slow when its answer took longer, in nanoseconds.
  static let slowCall: Int64 = 5_000_000_000

  /// What REGISTER is refused with when another callee was first.
  static let conflicts: Set<String> = [
    "wamp.error.procedure_already_exists",
    "wamp.error.procedure_exists_with_different_invocation_policy",
  ]

  /// A request under an id that is open for the same kind: one more part of it, or a fault.
  @inline(never)
  mutating func reopen(
    _ space: UInt8, _ id: UInt64, _ request: WAMPRequests.Request, _ options: ByteRange?,
    _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    guard let known = requests[space, id] else { return }
    guard known.traits.contains(.isInParts) else {
      if !context.knowsAll { return }
      let isPart = request.traits.contains(.isInParts)
      if isPart && space == WAMPSpace.invocation { return }
      return context.tell(
        isPart ? .continuationNonprogressive : .requestIDDuplicate, .error, message,
        isPart
          ? "one more part of CALL request \(id), whose first part did not say that more follow"
          : "request \(id) is still open for another \(message.name)", listener)
    }
    if space == WAMPSpace.call { checkPart(id, known, options, bytes, &message, listener) }
    // The last part does not say that more follow.
    if !request.traits.contains(.isInParts) { requests.complete(space, id) }
  }

  private mutating func checkPart(
    _ id: UInt64, _ known: WAMPRequests.Request, _ options: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ listener: any Listener
  ) {
    if known.object != 0 && known.object != bytes[message.subject].fingerprint {
      context.tell(
        .continuationProcedureChanged, .error, message,
        "one more part of CALL request \(id), but for another procedure than the first", listener)
    }
    guard let options, !told.contains(.partOptions) else { return }
    let part = bytes.extracting(0..<options.end)
    var at = options.start + 1
    while let member = JSON.next(part, &at, inObject: true) {
      if JSON.equals(bytes, member.key, "progress") { continue }
      told.insert(.partOptions)
      return context.tell(
        .continuationOptions, .note, message,
        "\(WAMPMessageRules.text(bytes, member.key)) counts only on the first part of a call: here "
          + "it is ignored", listener)
    }
  }

  @inline(never)
  func tellSlow(_ began: Instant, _ message: inout Message, _ listener: any Listener) {
    let milliseconds = (message.origin.time.nanoseconds &- began.nanoseconds) / 1_000_000
    var found = context.finding(
      .callSlow, .note, message.origin, "CALL request \(message.first.key)", about: message.first,
      " took \(milliseconds) ms")
    found.isAboutLastMessage = true
    listener.finding(found)
  }
}
