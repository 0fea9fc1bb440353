// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
internal import TapBytes
public import TapEvidence
import TapInputs
internal import TapTraffic

/// Records what an input report, for comparison.
final class SinkStory: EvidenceSink {
  private(set) var story: Story

  init(isReadable: Bool) { story = Story(isReadable: isReadable) }

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    story.note("packet", Int(packet.number), Int(packet.time.nanoseconds), Int(packet.precision))
    story.note(
      "of", Int(packet.originalLength), Int(packet.linkType), packet.isInterrupted ? 1 : 0)
    story.note("octets", bytes)
  }

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    note("message", delivery)
    story.note("octets", bytes)
  }

  func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    note("control", delivery)
    story.note("payload", payload)
  }

  func opened(_ opening: Opening, _ delivery: Delivery) {
    note("opened", delivery)
    story.note("as", Int(opening.carrier.rawValue), opening.isFromStart ? 1 : 0)
    story.note("url", opening.url.span.bytes)
  }

  func closed(_ closing: Closing, _ delivery: Delivery) {
    note("closed", delivery)
    story.note("code", Int(closing.code ?? 0))
  }

  func stream(_ bytes: RawSpan, _ delivery: Delivery) {
    note("stream", delivery)
    story.note("octets", bytes)
  }

  func gap(_ missing: Int?, _ delivery: Delivery) {
    note("gap", delivery)
    story.note("missing", missing ?? -1)
  }

  func context(_ words: RawSpan, _: ContextLine) { story.note("context", words) }
  func secrets(_ keyLog: RawSpan, _: Origin) { story.note("secrets", keyLog) }
  func endStream(_: Delivery) { story.note("end of stream") }
  func recognised(_ verdict: InputVerdict, _: Origin) {
    story.note("recognised", verdict.words(counted: nil))
  }
  func refuse(_ reason: String, _: Origin) { story.note("refused", reason) }

  func finding(_ finding: Finding) {
    story.note("finding", finding.code.name)
    story.note(
      "at", Int(finding.origin.offset), Int(finding.origin.record), Int(finding.severity.rawValue))
    story.note("text", finding.text)
  }

  private func note(_ what: StaticString, _ delivery: Delivery) {
    let origin = delivery.origin
    story.note(what, Int(origin.flow), Int(origin.offset), Int(origin.time.nanoseconds))
    story.note("by", Int(origin.direction.rawValue), Int(delivery.kind.rawValue))
  }
}

/// A place that allows every kind of input inside.
public var anyKind: Place { Place(input: 0, Inputs.self) }

/// Takes every text as a message, so that the code that finds them is exercised.
public var anyText: InputChoice {
  var choice = InputChoice()
  choice.recogniser = { AnyText() }
  return choice
}

private final class AnyText: TextRecogniser {
  func recognise(_ text: RawSpan, _: Delivery.Kind) -> Recognition {
    Recognition(text.byteCount > 12 ? .likely : .possible)
  }
}
