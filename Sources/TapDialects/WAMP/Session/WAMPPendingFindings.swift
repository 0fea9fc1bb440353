// SPDX-License-Identifier: Apache-2.0
import TapSessions
import TapTraffic

typealias WAMPPendingFindings = PendingFindings<WAMPCure>

/// The message that would make a finding false.
enum WAMPCure: Equatable {
  /// A message of this type.
  case code(UInt64)
  /// A message that opens this request.
  case request(space: UInt8, id: UInt64)
  /// A message that grants this id.
  case grant(space: UInt8, id: UInt64)

  func isMessage(_ code: UInt64, _ first: Link, _ second: Link) -> Bool {
    switch self {
    case .code(let needed): code == needed
    case .request(let space, let id):
      first.role == .opens && first.space == space && first.key == id
    case .grant(let space, let id):
      second.role == .names && second.space == space && second.key == id
    }
  }
}

extension PendingFindings<WAMPCure> {
  /// Reports a finding later, unless a message of the other side explains it.
  @inline(never)
  mutating func suspect(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: borrowing Message,
    _ text: String, unless cure: WAMPCure, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    add(context.finding(code, severity, message.origin, text), unless: cure, listener)
  }

  /// A message of the other side: reports the findings that it follows in time, and drops those
  /// that it explains, if it was sent before them but reported late.
  ///
  /// - Returns: whether the message explains a finding and was answered already.
  mutating func reconsider(
    _ code: UInt64, _ message: borrowing Message, _ listener: any Listener
  ) -> Bool {
    let (origin, first, second) = (message.origin, message.first, message.second)
    var isAnswered = false
    reconsider(listener) { finding, cure in
      if finding.origin.direction == origin.direction { return .open }
      if !origin.isBefore(finding.origin) { return .confirmed }
      guard cure.isMessage(code, first, second) else { return .open }
      if case .request = cure { isAnswered = true }
      return .explained
    }
    return isAnswered
  }
}
