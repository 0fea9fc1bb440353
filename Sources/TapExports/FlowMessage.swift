// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// One message of a flow: `[opcode, from client, content, time, dropped, injected]`, of a TCP flow
/// `[from client, content, time]`.
struct FlowMessage {
  enum Outcome {
    case message(Opcode, Direction)
    case stream(Direction)
    case trouble(Finding.Code, String, Direction)
  }

  let offset: UInt64
  private(set) var content = Scratch()
  private(set) var at: ExportTime?
  private var opcode: Int64?
  private var isFromClient: Bool?
  private var isTCP = false
  private var length: UInt64?
  private var isDropped = false
  private var isInjected = false

  init(offset: UInt64 = 0) { self.offset = offset }

  var remark: ExportQueue.Remark? { isInjected ? .injected : isDropped ? .dropped : nil }

  mutating func take(_ bytes: RawSpan, _ value: NetStringScalar, _ node: FlowReader.Node) {
    switch node {
    case .sender:
      if let truth = value.truth(bytes) { (isTCP, isFromClient) = (true, truth) }
      opcode = value.integer(bytes)
    case .second where isTCP: takeContent(bytes, value)
    case .second: isFromClient = value.truth(bytes)
    case .content where isTCP: at = value.time(bytes)
    case .content: takeContent(bytes, value)
    case .time: at = value.time(bytes)
    case .dropped: isDropped = value.truth(bytes) ?? false
    case .injected: isInjected = value.truth(bytes) ?? false
    default: break
    }
  }

  private mutating func takeContent(_ bytes: RawSpan, _ value: NetStringScalar) {
    guard value.tag == .comma || value.tag == UInt8(ascii: ";") else { return }
    content.append(bytes)
    length = value.length
  }

  func read() -> Outcome {
    guard let isFromClient else {
      return .trouble(.exportBadMessage, "a message does not say who sent it", .unknown)
    }
    let direction: Direction = isFromClient ? .toServer : .toClient
    guard let length else {
      return .trouble(.exportBadMessage, "a message has no content", direction)
    }
    if length > UInt64(content.count) {
      return .trouble(
        .exportMessageTooLarge,
        "a message of \(length) bytes is larger than the limit; it is not shown", direction)
    }
    if isTCP { return .stream(direction) }
    guard let opcode, let known = Opcode(ofWhole: opcode) else {
      let found = opcode.map { "the opcode \($0), which has no meaning" } ?? "no opcode"
      return .trouble(.exportBadMessage, "a message has \(found)", direction)
    }
    return .message(known, direction)
  }
}
