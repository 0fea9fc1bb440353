// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Recognises packets without the `4` of Engine.IO, as logs print them, only in pasted text.
struct SocketIORecogniser: Recogniser {
  private var scanner: JSONScanner

  let isForTexts = false

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    guard case .paste(let isSpoken) = context, kind != .binary else { return .none }
    // With an Engine.IO type it is an Engine.IO packet.
    if EngineIORecogniser.grade(text, &scanner) != .none { return Recognition(.possible) }
    var fault: StaticString = ""
    guard let packet = SocketIOPacket(text, &fault) else { return .none }
    // Digits alone are a number.
    if packet.data.isEmpty {
      return isSpoken || !packet.namespace.isEmpty ? Recognition(.possible) : .none
    }
    guard scanner.scan(text, from: packet.data.start) == text.byteCount,
      packet.fault(scanner) == nil
    else { return .none }
    return Recognition(.possible)
  }

  func refusal(of _: RawSpan) -> String { "it is no packet of Socket.IO" }
}
