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
      text.append(#","answer":{"index":"#)
      text.append(decimal: answered.index)
      duration("latency", answered, publication.sent, &text)
      text.append("}")
    }
    if let id = publication.id {
      text.append(#","publication":"#)
      text.append(decimal: id)
    }
    if publication.isRefused {
      text.append(#","refused":true"#)
      if !publication.refusal.isEmpty {
        text.append(#","error":"#)
        text.append(jsonString: publication.refusal.span.bytes)
      }
    }
    let judge = TraceJudge(
      publication: publication, members: book.members, last: book.last)
    let verdicts = judge.verdicts
    text.append(#","sessions":["#)
    for (order, verdict) in verdicts.enumerated() {
      if order > 0 { text.append(",") }
      append(verdict, publication, book, &text)
    }
    text.append("]")
    if !publication.isRefused {
      text.append(#","others":"#)
      text.append(decimal: judge.others(verdicts))
    }
    text.append("}\n")
  }

  private func append(
    _ verdict: TraceVerdict, _ publication: TracePublication, _ book: TraceBook,
    _ text: inout TextBuffer
  ) {
    let member = book.members[verdict.member]
    text.append(#"{"connection":"#)
    if member.connection > 0 {
      text.append(decimal: UInt64(member.connection))
    } else {
      text.append("null")
    }
    if !member.address.isEmpty {
      text.append(#","client":"#)
      text.append(jsonString: member.address.span.bytes)
    }
    text.append(#","identity":{"#)
    for (order, name) in member.identity.enumerated() {
      text.append(order > 0 ? ",\"" : "\"")
      text.append(name.name)
      text.append("\":")
      text.append(jsonString: name.value.span.bytes)
    }
    text.append(#"},"outcome":""#)
    text.append(verdict.outcome.name)
    text.append(#"","cause":""#)
    text.append(verdict.cause)
    text.append("\"")
    if !verdict.text.isEmpty {
      text.append(#","text":"#)
      text.append(jsonString: verdict.text)
    }
    if let delivery = verdict.delivery, !delivery.subscription.isEmpty {
      text.append(#","subscription":"#)
      text.append(jsonString: delivery.subscription.span.bytes)
    }
    if let moment = verdict.moment { append(moment, verdict, publication, &text) }
    text.append("}")
  }

  private func append(
    _ moment: TraceMoment, _ verdict: TraceVerdict, _ publication: TracePublication,
    _ text: inout TextBuffer
  ) {
    if let delivery = verdict.delivery {
      text.append(#","index":"#)
      text.append(decimal: moment.index)
      duration("after", moment, publication.sent, &text)
      if delivery.isInferred { text.append(#","inferred":true"#) }
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
    text.append(call.answer == nil ? #","answered":false"# : #","answered":true"#)
    if let answer = call.answer {
      text.append(answer.isFailure ? #","failed":true"# : #","failed":false"#)
      duration("latency", answer.moment, call.asked.moment, &text)
    }
    if let passedOn = call.passedOn {
      text.append(#","callee":"#)
      text.append(decimal: UInt64(passedOn.connection))
      duration("toCallee", passedOn.moment, call.asked.moment, &text)
      if let inner = call.innerAnswer {
        duration("atCallee", inner.moment, passedOn.moment, &text)
        if let answer = call.answer { duration("toCaller", answer.moment, inner.moment, &text) }
      }
    }
    text.append(#","legs":["#)
    for (order, leg) in call.legs.enumerated() {
      text.append(order > 0 ? #",{"index":"# : #"{"index":"#)
      text.append(decimal: leg.moment.index)
      text.append(#","connection":"#)
      if leg.connection > 0 {
        text.append(decimal: UInt64(leg.connection))
      } else {
        text.append("null")
      }
      text.append(#","name":"#)
      text.append(jsonString: leg.name)
      duration("after", leg.moment, call.asked.moment, &text)
      if leg.isInferred { text.append(#","inferred":true"#) }
      origin(leg.moment, &text)
      text.append("}")
    }
    text.append("]}\n")
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
    text.append(#","index":"#)
    text.append(decimal: moment.index)
    text.append(#","connection":"#)
    if member.connection > 0 {
      text.append(decimal: UInt64(member.connection))
    } else {
      text.append("null")
    }
    time(moment, &text)
    text.append(#","protocol":"#)
    text.append(jsonString: dialect)
    text.append(#","name":"#)
    text.append(jsonString: name)
    text.append(#","subject":"#)
    if subject.isEmpty { text.append("null") } else { text.append(jsonString: subject.span.bytes) }
    origin(moment, &text)
  }

  private func time(_ moment: TraceMoment, _ text: inout TextBuffer) {
    guard moment.origin.time.isKnown else { return text.append(#","time":null"#) }
    text.append(#","time":""#)
    var clock = TimeText()
    clock.append(utc: moment.origin.time, precision: moment.origin.precision, to: &text)
    text.append("\"")
  }

  /// Seconds between two moments; `keyAtMost` where the clock is too coarse to tell more.
  private func duration(
    _ key: StaticString, _ end: TraceMoment, _ begin: TraceMoment, _ text: inout TextBuffer
  ) {
    guard let took = end.since(begin), took >= 0 else { return }
    let most = Joined.most(took, precision: end.precision(begin))
    text.append(",\"")
    text.append(key)
    text.append(most == nil ? "\":" : "AtMost\":")
    TimeText.append(
      seconds: most.map { Int64(clamping: $0) } ?? took, precision: 9, columns: 0, to: &text)
    TextLayout.removeTrailingZeros(&text)
  }

  private func origin(_ moment: TraceMoment, _ text: inout TextBuffer) {
    let input = Int(moment.origin.input)
    text.append(#","origin":{"input":"#)
    text.append(jsonString: input < inputs.count ? inputs[input] : "")
    if moment.origin.record > 0 {
      text.append(moment.origin.isLine ? #","line":"# : #","packet":"#)
      text.append(decimal: moment.origin.record)
    }
    text.append("}")
  }
}
