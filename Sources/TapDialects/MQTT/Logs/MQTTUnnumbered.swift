// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Open SUBSCRIBEs and UNSUBSCRIBEs of a log. Programs may omit the packet identifier of the
/// request or the answer: then the oldest request that fits is answered.
struct MQTTUnnumbered {
  private let most: Int
  private var open: [(type: MQTTType, key: UInt64)] = []
  private var count: UInt64 = 0

  init(limits: Limits) { most = limits.sessionEntries }

  /// The key of a request: its packet identifier, or a unique number when it has none.
  mutating func opens(_ type: MQTTType, _ id: UInt16?) -> UInt64 {
    count += 1
    let key = id.map { UInt64($0) } ?? 1 << 32 | count
    if open.count >= most { open.removeFirst() }
    open.append((type, key))
    return key
  }

  /// The key of the answered request; nil when none is open.
  mutating func answers(_ type: MQTTType, _ id: UInt16?) -> UInt64? {
    let asked: MQTTType = type == .suback ? .subscribe : .unsubscribe
    let same = open.firstIndex {
      $0.type == asked && (id == nil || $0.key == id.map { UInt64($0) })
    }
    guard let place = same ?? open.firstIndex(where: { $0.type == asked && $0.key >> 32 > 0 })
    else { return id.map { UInt64($0) } }
    return open.remove(at: place).key
  }
}

extension MQTTSession {
  /// Declares links of requests and answers that lack a packet identifier on one side or both.
  mutating func declareUnnumbered(_ packet: MQTTPacket, _ message: inout Message) {
    guard let type = packet.type else { return }
    let id = packet.id
    switch type {
    case .subscribe, .unsubscribe:
      message.first.key = logged.opens(type, id)
    case .suback, .unsuback:
      if let key = logged.answers(type, id) {
        message.first.key = key
        if let id, key != id {
          message.first.word = ""
          message.second = Link(.shows, "packet", UInt64(id), space: 0)
        }
      } else {
        message.first = .unkeyed
      }
    case .puback, .pubrec, .pubrel, .pubcomp:
      if id == nil { message.first = .unkeyed }
      return
    default: return
    }
    if id == nil { message.first.word = "" }
  }
}
