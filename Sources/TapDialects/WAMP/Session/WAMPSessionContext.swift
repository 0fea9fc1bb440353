// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What all rules of a session need: its number, and how much of it was captured.
struct WAMPSessionContext: Sendable, BitwiseCopyable {
  /// Its number, as in `Message.session`.
  var session: UInt16 = 0
  /// Every message since the session began was captured, readable, and is remembered.
  var knowsAll: Bool
  /// Messages were missed, so an absent message may have been sent unseen.
  var hasGaps = false
  /// Messages of other sessions may stand among its own.
  var mayHaveOthers = false
  /// The message's text does not show all that was sent, so its arguments are not compared.
  var isInexact = false

  /// A finding about the session.
  func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    about link: Link = .none, _ remainder: String = ""
  ) -> Finding {
    var finding = Finding(code, severity, origin, text)
    (finding.about, finding.session, finding.remainder) = (link, session, remainder)
    return finding
  }

  /// Reports a finding about the message that was reported last.
  @inline(never)
  func report(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: borrowing Message,
    _ text: String, about link: Link = .none, remainder: String = "", isSecurity: Bool = false,
    _ listener: any Listener
  ) {
    var found = finding(code, severity, message.origin, text, about: link, remainder)
    (found.isAboutLastMessage, found.isSecurity) = (true, isSecurity)
    listener.finding(found)
  }
}
