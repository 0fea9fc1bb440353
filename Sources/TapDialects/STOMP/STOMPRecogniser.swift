// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Recognises texts that begin with a STOMP command on its own line, followed by a header or the
/// blank line. CONNECT in HTTP and NATS, and SUBSCRIBE, MESSAGE and ACK in SIP have a blank after
/// the word.
struct STOMPRecogniser: Recogniser {
  private var framing: STOMPFraming
  private var transcript: STOMPTranscript

  let isOfLists = false

  init(limits: Limits) {
    framing = STOMPFraming(mostHeaders: limits.frameHeaders)
    transcript = STOMPTranscript(limits: limits)
  }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    guard kind == .text || kind == .binary || kind == .stream else { return .none }
    if STOMPTranscript.mayBegin(text), mayBeJSON(context) {
      var frame = STOMPFrame()
      return Recognition(transcript.read(text, into: &frame) ? .likely : .none)
    }
    let start = STOMPFraming.behindLineEnds(text, 0)
    guard STOMPFraming.beginsFrame(text, at: start) else { return .none }
    var found = Recognition(.possible)
    framing = STOMPFraming(mostHeaders: 64)
    guard case .frame = framing.next(in: text, from: start, isEnd: true),
      let command = framing.frame.command
    else { return found }
    found.direction = command.direction
    found.begins = command == .connect || command == .stomp
    found.ends = command == .disconnect
    note(command, text, &found)
    let isWhole = !framing.frame.faults.contains(.nulMissing)
    if isWhole || has(command) { found.grade = .likely }
    return found
  }

  /// Whether the text may be this program's own output, or the JSON made from a log without bodies.
  private func mayBeJSON(_ context: Recognition.Context) -> Bool {
    switch context {
    case .text, .sent: false
    case .paste: true
    case .conversation(let opening, _):
      opening.provenance.isTranscoded || opening.provenance.isLogged
    }
  }

  /// Notes what a frame shows of its session. A granted thing is a subscription with its
  /// destination, or a message to acknowledge.
  private func note(_ command: STOMPCommand, _ text: RawSpan, _ found: inout Recognition) {
    func key(_ kinds: STOMPHeader...) -> UInt64 {
      var key: UInt64 = 0
      for kind in kinds {
        guard let header = framing.frame.first(kind) else { return 0 }
        key = key &* 31 &+ text[header.value].fingerprint
      }
      return key
    }
    // RabbitMQ copies the header into the MESSAGE.
    if command.direction == .toServer { found.opens = key(.receipt) }
    switch command {
    case .connected: found.session = key(.session)
    case .receipt: found.answers = key(.receiptID)
    case .subscribe: found.grants = key(.id, .destination)
    case .message:
      found.uses = key(.subscription, .destination)
      found.grants = key(.ack)
    case .ack, .nack: found.uses = key(.id)
    default: break
    }
  }

  /// Whether a frame has a header that its command requires.
  private func has(_ command: STOMPCommand) -> Bool {
    let frame = framing.frame
    func has(_ kinds: STOMPHeader...) -> Bool { kinds.contains { frame.first($0) != nil } }
    switch command {
    case .connect, .stomp: return has(.acceptVersion, .host, .login)
    case .connected: return has(.version, .session, .server, .heartBeat)
    case .send, .subscribe: return has(.destination)
    case .unsubscribe: return has(.id, .destination)
    case .ack, .nack: return has(.id, .messageID)
    case .begin, .commit, .abort: return has(.transaction)
    case .message: return has(.messageID)
    case .receipt: return has(.receiptID)
    case .error: return has(.message)
    case .disconnect: return has(.receipt)
    }
  }

  func refusal(of _: RawSpan) -> String { "it does not begin with a command of STOMP" }
}
