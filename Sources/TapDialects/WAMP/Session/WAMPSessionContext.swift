// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What all that judges a session must know of it: which one it is, and how much of it was seen.
struct WAMPSessionContext: Sendable, BitwiseCopyable {
  /// Its number, as in `Message.session`.
  var session: UInt16 = 0
  /// Everything since the session began was captured, could be read, and is remembered.
  var knowsAll: Bool
  /// Something was missed, and more may be: what does not come may have come unseen.
  var hasGaps = false
  /// The text of the message does not say all that was sent: its arguments are not compared.
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

  /// Tells of the message that was told last.
  @inline(never)
  func tell(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: borrowing Message,
    _ text: String, about link: Link = .none, remainder: String = "", isSecurity: Bool = false,
    _ listener: any Listener
  ) {
    var found = finding(code, severity, message.origin, text, about: link, remainder)
    (found.isAboutLastMessage, found.isSecurity) = (true, isSecurity)
    listener.finding(found)
  }
}
