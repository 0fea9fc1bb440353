// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Recognises a CONNECT by the protocol name that is near its beginning, where messages of a
/// conversation cut it.
struct MQTTConnectPieces {
  enum Match {
    case connect
    /// So far it may be one.
    case begins
    case none
  }

  /// The longest that is looked at: type, remaining length, and the name with its length.
  private static let most = 13
  private static let names = ["\0\u{4}MQTT", "\0\u{6}MQIsdp"].map { Array($0.utf8) }

  /// What may be the beginning of a CONNECT.
  private var begun: [UInt8] = []

  /// One more message.
  mutating func append(_ message: RawSpan) -> Match {
    let before = begun.count
    for at in 0..<min(message.byteCount, Self.most - before) {
      begun.append(message.byte(at: at))
    }
    let match = Self.match(begun)
    if match != .begins { begun.removeAll() }
    // It may begin with this message instead.
    return match == .none && before > 0 ? append(message) : match
  }

  private static func match(_ bytes: [UInt8]) -> Match {
    guard let first = bytes.first, first == MQTTType.connect.rawValue << 4 else { return .none }
    switch MQTTHeader.read(bytes.span.bytes, at: 0) {
    case .malformed: return .none
    case .incomplete: return .begins
    case .whole(let header):
      let content = bytes.dropFirst(header.length)
      if names.contains(where: { content.starts(with: $0) }) { return .connect }
      return names.contains { $0.starts(with: content) } ? .begins : .none
    }
  }
}
