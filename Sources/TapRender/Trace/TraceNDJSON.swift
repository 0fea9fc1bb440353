// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Traces as NDJSON: one object for each, and the summary last.
struct TraceNDJSON: TraceForm {
  /// Names of the inputs as typed, by number.
  let inputs: [String]

  // MARK: - Publications

  func append(
    _ publication: TracePublication, _ book: TraceBook, to text: inout TextBuffer
  ) {
    text.append(#"{"event":"trace","of":"publication""#)
    head(
      publication.sent, book.members[publication.publisher], publication.dialect,
      publication.name, publication.topic, &text)
    if let answered = publication.answered {
      text.object("answer") {
        $0.member("index", answered.index)
        duration("latency", answered, publication.sent, &$0)
      }
    }
    if let id = publication.id { text.member("publication", id) }
    if publication.isRefused {
      text.member("refused", true)
      if !publication.refusal.isEmpty { text.member("error", publication.refusal.span.bytes) }
    }
    let judge = TraceJudge(
      publication: publication, members: book.members, last: book.last)
    let verdicts = judge.verdicts
    text.list("sessions", of: verdicts) { append($0, publication, book, &$1) }
    if !publication.isRefused { text.member("others", judge.others(verdicts)) }
    text.append("}\n")
  }

  private func append(
    _ verdict: TraceVerdict, _ publication: TracePublication, _ book: TraceBook,
    _ text: inout TextBuffer
  ) {
    let member = book.members[verdict.member]
    text.append("{")
    text.member(connection: member.connection)
    if !member.address.isEmpty { text.member("client", member.address.span.bytes) }
    text.object("identity") {
      for name in member.identity { $0.member(name.name, name.value.span.bytes) }
    }
    text.member("outcome", word: verdict.outcome.name)
    text.member("cause", word: verdict.cause)
    if !verdict.text.isEmpty { text.member("text", verdict.text) }
    if let delivery = verdict.delivery, !delivery.subscription.isEmpty {
      text.member("subscription", delivery.subscription.span.bytes)
    }
    if let moment = verdict.moment { append(moment, verdict, publication, &text) }
    text.append("}")
  }

  private func append(
    _ moment: TraceMoment, _ verdict: TraceVerdict, _ publication: TracePublication,
    _ text: inout TextBuffer
  ) {
    if let delivery = verdict.delivery {
      text.member("index", moment.index)
      duration("after", moment, publication.sent, &text)
      if delivery.isInferred { text.member("inferred", true) }
    }
    time(moment, &text)
    origin(moment, &text)
  }

  // MARK: - Calls

  func append(_ call: TraceCall, _ book: TraceBook, to text: inout TextBuffer) {
    text.append(#"{"event":"trace","of":"call""#)
    head(
      call.asked.moment, book.members[call.caller], call.dialect, call.asked.name, call.subject,
      &text)
    text.member("answered", call.answer != nil)
    if let answer = call.answer {
      text.member("failed", answer.isFailure)
      duration("latency", answer.moment, call.asked.moment, &text)
    }
    if let passedOn = call.passedOn {
      text.member("callee", UInt64(passedOn.connection))
      duration("toCallee", passedOn.moment, call.asked.moment, &text)
      if let inner = call.innerAnswer {
        duration("atCallee", inner.moment, passedOn.moment, &text)
        if let answer = call.answer { duration("toCaller", answer.moment, inner.moment, &text) }
      }
    }
    text.list("legs", of: call.legs) { leg, text in
      text.append("{")
      text.member("index", leg.moment.index)
      text.member(connection: leg.connection)
      text.member("name", leg.name)
      duration("after", leg.moment, call.asked.moment, &text)
      if leg.isInferred { text.member("inferred", true) }
      origin(leg.moment, &text)
      text.append("}")
    }
    text.append("}\n")
  }

  func end(
    _ summary: Summary, shown _: Int, more _: Int, _ book: TraceBook, to text: inout TextBuffer
  ) {
    var renderer = NDJSONRenderer(inputs: inputs)
    renderer.summary(summary, into: &text)
  }

  // MARK: - Parts

  private func head(
    _ moment: TraceMoment, _ member: TraceMember, _ dialect: String, _ name: String,
    _ subject: [UInt8], _ text: inout TextBuffer
  ) {
    text.member("index", moment.index)
    text.member(connection: member.connection)
    time(moment, &text)
    text.member("protocol", dialect)
    text.member("name", name)
    text.member("subject", known: subject)
    origin(moment, &text)
  }

  private func time(_ moment: TraceMoment, _ text: inout TextBuffer) {
    var clock = TimeText()
    text.member("time", moment.origin.time, precision: moment.origin.precision, &clock)
  }

  /// Seconds between two moments; `keyAtMost` where the clock is too coarse to tell more.
  private func duration(
    _ key: StaticString, _ end: TraceMoment, _ begin: TraceMoment, _ text: inout TextBuffer
  ) {
    guard let took = end.since(begin), took >= 0 else { return }
    text.member(key, latency: took, precision: end.precision(begin))
  }

  private func origin(_ moment: TraceMoment, _ text: inout TextBuffer) {
    let input = Int(moment.origin.input)
    text.member(
      "origin", input: input < inputs.count ? inputs[input] : "", record: moment.origin.record,
      isLine: moment.origin.isLine)
  }
}
