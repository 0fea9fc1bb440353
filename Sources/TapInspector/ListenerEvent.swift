// SPDX-License-Identifier: Apache-2.0
package import TapTraffic

/// One call of a listener, other than `message`, recorded to be made later.
package struct ListenerEvent {
  /// Payloads that are large and rare are boxed (`indirect`), so that an event stays small.
  package enum Call {
    case framed(Framing)
    case sent(trailing: Int, StaticString)
    case subject
    case waiting(Origin)
    case caughtUp(Origin)
    case follows(Origin)
    indirect case opened(Opening, Delivery)
    indirect case refused(Opening, Delivery)
    indirect case lesson(LearnedName, Message)
    indirect case finding(Finding)
    indirect case keepAlive(KeepAlive, Delivery)
    indirect case closed(Closing, Delivery)
    indirect case context(ContextLine)
  }

  let call: Call
  /// Length of the bytes that came with it, which are stored elsewhere.
  let byteCount: Int

  init(_ call: Call, _ byteCount: Int = 0) { (self.call, self.byteCount) = (call, byteCount) }

  /// Approximate memory use, without its bytes.
  var cost: Int {
    let size = MemoryLayout<ListenerEvent>.stride
    switch call {
    case .opened(let opening, _), .refused(let opening, _):
      let all = size + MemoryLayout<Opening>.stride + opening.url.count
      return opening.heads.reduce(all + opening.request.count + opening.response.count) {
        $0 + $1.count
      }
    case .finding(let finding):
      return size + MemoryLayout<Finding>.stride + finding.text.utf8.count
    case .closed(let closing, _): return size + closing.reason.count
    default: return size
    }
  }

  /// Makes the call.
  func report(_ listener: any Listener, _ bytes: RawSpan) {
    switch call {
    case .framed(let framing): listener.framed(framing)
    case .sent(let trailing, let serializer):
      listener.sent(bytes, trailing: trailing, as: serializer)
    case .subject: listener.subject(bytes)
    case .waiting(let origin): listener.waiting(from: origin)
    case .caughtUp(let origin): listener.caughtUp(origin)
    case .follows(let origin): listener.follows(origin)
    case .opened(let opening, let delivery): listener.opened(opening, delivery)
    case .refused(let attempt, let delivery): listener.refused(attempt, delivery)
    case .lesson(let lesson, let message): listener.lesson(lesson, bytes, in: message)
    case .finding(let finding): listener.finding(finding)
    case .keepAlive(let keepAlive, let delivery): listener.keepAlive(keepAlive, delivery)
    case .closed(let closing, let delivery): listener.closed(closing, delivery)
    case .context(let line): listener.context(bytes, line)
    }
  }
}
