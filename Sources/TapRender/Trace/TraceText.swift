// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Traces for people: the lines of the messages, and below them what became of it.
struct TraceText: TraceForm {
  let style: Style
  let width: Int?
  let isQuiet: Bool

  init(_ options: LineRenderer.Options) {
    style = Style(isColored: options.isColored)
    (width, isQuiet) = (options.width, options.isQuiet)
  }

  // MARK: - Publications

  func append(
    _ publication: TracePublication, _ book: TraceBook, to text: inout TextBuffer
  ) {
    line(publication.line, isInferred: false, &text)
    if publication.answered != nil {
      line(publication.answerLine, isInferred: false, &text)
    } else if publication.awaitsAnswer {
      let publisher = book.members[publication.publisher]
      let isLost = publisher.firstLoss(since: publication.sent, .toClient) != nil
      row(
        "",
        isLost
          ? "no answer was captured; bytes of its connection are missing" : "it was not answered",
        &text)
    }
    let judge = TraceJudge(
      publication: publication, members: book.members, last: book.last)
    let verdicts = judge.verdicts
    group("received by", .received, verdicts, publication, book, &text)
    if publication.isRefused {
      let why =
        publication.refusal.isEmpty
        ? "" : ": \(String(decoding: publication.refusal, as: Unicode.UTF8.self))"
      row("refused\(why)", "", &text)
      return text.append("\n")
    }
    group("not received by", .missed, verdicts, publication, book, &text)
    group("not known of", .unknown, verdicts, publication, book, &text)
    others(judge.others(verdicts), isAlone: verdicts.isEmpty, &text)
    text.append("\n")
  }

  private func group(
    _ title: String, _ outcome: TraceVerdict.Outcome, _ verdicts: [TraceVerdict],
    _ publication: TracePublication, _ book: TraceBook, _ text: inout TextBuffer
  ) {
    for (order, verdict) in verdicts.filter({ $0.outcome == outcome }).enumerated() {
      let begin = text.count
      text.append("    ")
      text.append(order == 0 ? title : "")
      text.append(spaces: max(1, 21 - text.bytes.columns(from: begin)))
      text.append(verdict.delivery?.isInferred == true ? "~" : " ")
      append(book.members[verdict.member], &text)
      text.append("  ")
      if let delivery = verdict.delivery {
        append(delivery, publication, &text)
      } else {
        text.append(escaping: verdict.text)
      }
      tail(verdict, publication, book.members[verdict.member], &text)
      finish(from: begin, indent: 22, &text)
    }
  }

  private func append(_ member: TraceMember, _ text: inout TextBuffer) {
    guard member.connection > 0 else { return text.append("the pasted messages") }
    text.append("#\(member.connection)")
    if !member.address.isEmpty {
      text.append(" ")
      text.append(escaping: member.address.span.bytes)
    }
    // The name of a user is better known than the id of a session.
    let identity = member.identity.first { !$0.name.equals("session") } ?? member.identity.first
    if let identity {
      text.append(" ")
      text.append(identity.name)
      text.append(" ")
      text.append(escaping: identity.value.span.bytes)
    }
  }

  private func append(
    _ delivery: TracePublication.Delivery, _ publication: TracePublication,
    _ text: inout TextBuffer
  ) {
    text.append(escaping: delivery.name)
    if let took = delivery.moment.since(publication.sent), took >= 0 {
      text.append(" after ")
      Latency.append(took, delivery.moment.precision(publication.sent), to: &text)
    }
    if delivery.isRetained { text.append(", kept for later subscribers") }
    if !delivery.subscription.isEmpty {
      text.append(" · subscription ")
      text.append(escaping: delivery.subscription.span.bytes)
    }
  }

  /// How long before or after the publication it was, and where it stands.
  private func tail(
    _ verdict: TraceVerdict, _ publication: TracePublication, _ member: TraceMember,
    _ text: inout TextBuffer
  ) {
    guard let moment = verdict.moment else { return }
    if verdict.delivery == nil, let since = moment.since(publication.sent) {
      text.append(", ")
      let distance = since == .min ? .max : abs(since)
      Latency.append(distance, moment.precision(publication.sent), to: &text)
      text.append(since < 0 ? " before" : " after")
    }
    let place = member.place(moment)
    if place.isEmpty { return }
    text.append(" · ")
    text.append(place)
  }

  private func others(_ count: Int, isAlone: Bool, _ text: inout TextBuffer) {
    if count == 0 {
      if isAlone { row("received by", " no other session of its server was captured", &text) }
      return
    }
    let sessions = counted(count, "other session")
    row(
      isAlone ? "received by" : "",
      isAlone
        ? " nobody: no subscription of \(sessions) matches it"
        : " \(sessions) had not subscribed to it", &text)
  }

  // MARK: - Calls

  func append(_ call: TraceCall, _ book: TraceBook, to text: inout TextBuffer) {
    for leg in call.legs { line(leg.line, isInferred: leg.isInferred, &text) }
    let begin = text.count
    text.append("    ")
    times(call, book, &text)
    finish(from: begin, indent: 4, &text)
    text.append("\n")
  }

  private func times(_ call: TraceCall, _ book: TraceBook, _ text: inout TextBuffer) {
    guard let answer = call.answer else {
      text.append("no answer to #\(call.asked.connection) was captured")
      let member = book.members[call.caller]
      if member.firstLoss(since: call.asked.moment, .toClient) != nil {
        text.append("; bytes of its connection are missing")
      } else if let ended = member.ended {
        text.append("; \(member.ending)")
        after(ended, call.asked.moment, &text)
      }
      if let passedOn = call.passedOn {
        text.append(call.innerAnswer == nil ? "; it was passed on to " : "; ")
        text.append("#\(passedOn.connection)")
        let isLost = book.members[call.callee].firstLoss(since: passedOn.moment, .toServer) != nil
        text.append(
          call.innerAnswer != nil
            ? " had answered"
            : isLost ? ", whose answer was not captured either" : ", which did not answer either")
      }
      return
    }
    guard let took = answer.moment.since(call.asked.moment) else {
      return text.append("no times are known")
    }
    Latency.append(took, answer.moment.precision(call.asked.moment), to: &text)
    text.append(" in all")
    guard let passedOn = call.passedOn else {
      if call.isRouted {
        text.append("; the callee was not captured, or is the router itself")
      }
      return
    }
    part(
      passedOn.moment, call.asked.moment, of: took, "until #\(passedOn.connection) was asked", &text
    )
    guard let inner = call.innerAnswer else {
      let callee = book.members[call.callee]
      text.append("; #\(passedOn.connection) has not answered")
      if let loss = callee.firstLoss(since: passedOn.moment, .toServer) {
        text.append(", or that was not captured: bytes of its connection are missing")
        return after(loss, passedOn.moment, &text)
      }
      guard let ended = callee.ended else { return }
      text.append("; \(callee.ending)")
      return after(ended, passedOn.moment, &text)
    }
    if let late = inner.moment.since(answer.moment), late > 0 {
      text.append(" · #\(passedOn.connection) answered ")
      Latency.append(late, inner.moment.precision(answer.moment), to: &text)
      return text.append(" later, when the call had ended")
    }
    part(inner.moment, passedOn.moment, of: took, "there", &text)
    part(
      answer.moment, inner.moment, of: took, "until #\(call.asked.connection) had the answer",
      &text)
  }

  /// `, 533 µs (28 %) there`
  private func part(
    _ end: TraceMoment, _ begin: TraceMoment, of all: Int64, _ words: String,
    _ text: inout TextBuffer
  ) {
    guard let took = end.since(begin), took >= 0 else { return }
    text.append(text.bytes.byteCount > 0 ? " · " : "")
    Latency.append(took, end.precision(begin), to: &text)
    // A call may end before it is passed on.
    if all > 0 && took <= all { text.append(" (\((took &* 100 &+ all / 2) / all) %)") }
    text.append(" ")
    text.append(words)
  }

  private func after(_ end: TraceMoment, _ begin: TraceMoment, _ text: inout TextBuffer) {
    guard let took = end.since(begin), took >= 0 else { return }
    text.append(" ")
    Latency.append(took, end.precision(begin), to: &text)
    text.append(" later")
  }

  // MARK: - The end

  func end(
    _ summary: Summary, shown: Int, more: Int, _ book: TraceBook, to text: inout TextBuffer
  ) {
    if isQuiet { return }
    let begin = text.count
    style.begin(.dim, &text)
    if shown == 0 {
      text.append("no publication or call matches")
    } else {
      text.append(counted(shown, "trace"))
    }
    if more > 0 {
      text.append(" · \(more) more left out: narrow down with -Y")
      let unkept = book.publications.unkept + book.calls.unkept
      if more > unkept { text.append(", or print more with -c") }
    }
    if book.unreportedMembers > 0 {
      text.append(" · messages of sessions beyond the first \(book.members.count) were passed over")
    }
    if book.publications.unjoined > 0 {
      let count = book.publications.unjoined
      let deliveries = count == 1 ? "1 delivery" : "\(count) deliveries"
      text.append(" · \(deliveries) without a captured publication")
    }
    text.append(" · ")
    SummaryLine.append(summary, to: &text)
    style.end(&text)
    finish(from: begin, indent: 4, &text)
  }

  // MARK: - Lines

  private func line(_ line: [UInt8], isInferred: Bool, _ text: inout TextBuffer) {
    text.append(isInferred ? "~ " : "  ")
    text.append(line.span.bytes)
  }

  private func row(_ title: String, _ words: String, _ text: inout TextBuffer) {
    let begin = text.count
    text.append("    ")
    text.append(escaping: title)
    if !words.isEmpty { text.append(spaces: max(1, 21 - text.bytes.columns(from: begin))) }
    text.append(escaping: words)
    finish(from: begin, indent: 22, &text)
  }

  private func finish(from begin: Int, indent: Int, _ text: inout TextBuffer) {
    if let width { TextLayout.wrap(&text, from: begin, to: width, indent: indent) }
    text.append("\n")
  }
}
