// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The last line of a capture: what was seen, what was lost, what was passed over.
enum SummaryLine {
  /// As a line of its own, wrapped to the columns of a terminal.
  static func appendLine(
    _ summary: Summary, showsNotes: Bool = true, width: Int?, _ style: Style,
    to text: inout TextBuffer
  ) {
    let begin = text.count
    style.begin(.dim, &text)
    append(summary, showsNotes: showsNotes, to: &text)
    style.end(&text)
    if let width { TextLayout.wrap(&text, from: begin, to: width, indent: 4) }
    text.append("\n")
  }

  /// - Parameter showsNotes: notes have lines; otherwise it is said how to see them.
  static func append(_ summary: Summary, showsNotes: Bool = true, to text: inout TextBuffer) {
    count(summary.connections, "connection", &text)
    text.append(", ")
    count(summary.messages - summary.controlFrames, "message", &text)
    if summary.controlFrames > 0 {
      text.append(", ")
      text.append(grouped: summary.controlFrames)
      text.append(summary.controlFrames == 1 ? " control frame" : " control frames")
    }
    findings(summary, &text)
    if summary.notes > 0 && !showsNotes { text.append(" (--notes shows them)") }
    if summary.lostBytes > 0 || summary.lostMessages > 0 {
      text.append(" · lost: ")
      if summary.lostBytes > 0 { count(summary.lostBytes, "byte", &text) }
      if summary.lostMessages > 0 {
        if summary.lostBytes > 0 { text.append(", ") }
        text.append(summary.mayHaveLostMore ? "at least " : "about ")
        count(summary.lostMessages, "message", &text)
      }
    }
    passedOver(summary, &text)
    if summary.unreportedFindings > 0 {
      text.append(" · ")
      count(summary.unreportedFindings, "more finding", &text)
      text.append(" of codes reported often enough")
    }
    if summary.evicted > 0 {
      text.append(" · ")
      count(summary.evicted, "open request, name or connection", &text)
      text.append(" forgotten for the limits")
    }
    captures(summary, &text)
    if !summary.captures.isEmpty { return }
    switch summary.stop {
    case .count, .time: text.append(" · limit reached; the rest was not read")
    case .interrupt: text.append(" · interrupted; the rest was not read")
    case nil: break
    }
  }

  /// `captured on lo: 1,200 packets, dropped: 3 by the kernel, 2 by wamptap`. A capture has no end
  /// of its own that would be worth telling.
  private static func captures(_ summary: Summary, _ text: inout TextBuffer) {
    for capture in summary.captures {
      text.append(" · captured on ")
      text.append(escaping: capture.interface)
      text.append(": ")
      count(capture.captured, "packet", &text)
      let dropped: [(UInt64, String)] = [
        (capture.droppedByKernel, "by the kernel"),
        (capture.droppedByInterface, "by the interface"),
        (capture.droppedByProgram, "by wamptap"),
      ]
      text.append(", dropped: ")
      var isFirst = true
      for (number, name) in dropped where number > 0 {
        text.append(isFirst ? "" : ", ")
        isFirst = false
        text.append(grouped: number)
        text.append(" ")
        text.append(name)
      }
      if isFirst { text.append("none") }
    }
  }

  private static func findings(_ summary: Summary, _ text: inout TextBuffer) {
    let kinds: [(UInt64, String)] = [
      (summary.errors, "error"), (summary.warnings, "warning"), (summary.notes, "note"),
    ]
    for (number, name) in kinds where number > 0 {
      text.append(", ")
      count(number, name, &text)
    }
  }

  private static func passedOver(_ summary: Summary, _ text: inout TextBuffer) {
    let things: [(UInt64, String)] = [
      (
        summary[.httpRequest] > summary.connections
          ? summary[.httpRequest] - summary.connections : 0, "other HTTP request"
      ),
      (
        summary[.streamTLS] > summary[.streamDecrypted]
          ? summary[.streamTLS] - summary[.streamDecrypted] : 0,
        "TLS connection (not decrypted: see --keylog)"
      ),
      (summary[.linePassedOver], "line"),
      (summary[.sessionUnwatched], "session not checked to its end"),
      (summary[.streamUnread], "other TCP stream"),
      (summary[.packetNotTCP], "packet that is not TCP"),
      (summary[.packetMalformed], "malformed packet"),
      (summary[.incomplete] + summary[.skipped], "byte of incomplete messages"),
      (summary[.sealed], "byte of closed TLS records"),
      (summary[.unread], "byte of other streams"),
      (summary[.afterClose], "byte after the end of a connection"),
    ]
    var isFirst = true
    for (number, name) in things where number > 0 {
      text.append(isFirst ? " · passed over: " : ", ")
      isFirst = false
      count(number, name, &text)
    }
  }

  /// `1 packet that is not TCP`, `3 packets that are not TCP`.
  private static func count(_ number: UInt64, _ name: String, _ text: inout TextBuffer) {
    text.append(grouped: number)
    text.append(" ")
    if number == 1 { return text.append(name) }
    let words = name.split(separator: " ", maxSplits: 1)
    switch name {
    case "packet that is not TCP": text.append("packets that are not TCP")
    case _ where name.hasSuffix(")"):
      text.append(name.replacing("connection", with: "connections"))
    case "session not checked to its end": text.append("sessions not checked to their end")
    case "open request, name or connection": text.append("open requests, names or connections")
    case "more finding": text.append("more findings")
    case _ where name.hasPrefix("byte "): text.append("bytes \(words[1])")
    default: text.append(name + "s")
    }
  }
}
