// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Conversations whose frames and bytes are printed.
extension LogConversations {
  /// Whether the bytes of a conversation go into a stream.
  func isStream(_ sight: LogCandidate) -> Bool { names[name(sight, isStream: true)] != nil }

  /// Whether a message of this conversation has come.
  func isKnown(_ sight: LogCandidate) -> Bool { names[name(sight)] != nil }

  /// Writes a conversation that has begun into an origin; answers whether there is one.
  func find(_ sight: inout LogCandidate) -> Bool {
    guard let match = sight.match, let index = names[name(sight)] ?? unnamed[name(sight)]?.last
    else { return false }
    sight.origin.flow = talks[index].flow
    let side = talks[index].side == .unknown ? sight.side : talks[index].side
    sight.origin.direction = match.form.direction(match.way, side)
    return true
  }

  /// The connection of a message is closed: what comes next is of another.
  mutating func end(_ sight: LogCandidate) {
    guard let index = names[name(sight)] else { return }
    (talks[index].isOpen, talks[index].isEnded) = (false, true)
  }

  /// The stream of some bytes, their direction and place in it, written into their origin; answers
  /// false where the line follows no rule.
  mutating func placeStream(
    _ sight: inout LogCandidate, _ octets: RawSpan, _ sink: any EvidenceSink
  ) -> Bool {
    guard let match = sight.match else { return false }
    let name = name(sight, isStream: true)
    let isRequest = octets.starts(with: "GET ")
    if isRequest, let before = names.removeValue(forKey: name) {
      latest[name.format] = nil
      close(before, sink)
    }
    if names[name] == nil {
      var opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      (opening.provenance.hasOctets, opening.provenance.isWrittenWhole) = (true, isRequest)
      opening.provenance.writer = Array("log of \(match.form.title)".utf8)
      if !sight.source.isEmpty { opening.provenance.writer += Array(", \(sight.source)".utf8) }
      if !sight.writer.isEmpty { opening.provenance.writer += Array(", \(sight.writer)".utf8) }
      names[name] = open(opening, sight, match.form, sink)
    }
    let index = names[name]!
    sight.origin.flow = talks[index].flow
    let direction = match.form.direction(match.way, talks[index].side)
    sight.origin.direction = direction
    let count = UInt64(octets.byteCount)
    if direction == .toServer {
      sight.origin.offset = talks[index].octets.0
      talks[index].octets.0 += count
    } else {
      sight.origin.offset = talks[index].octets.1
      talks[index].octets.1 += count
    }
    talks[index].last = sight.origin
    return true
  }

  /// A line of a handshake names subprotocols.
  mutating func note(subprotocol names: [UInt8], _ sight: LogCandidate) {
    guard let match = sight.match, !names.isEmpty else { return }
    let name = name(sight)
    if subprotocols.count >= limits.connections { subprotocols.removeAll() }
    subprotocols[name, default: LogSubprotocol(match.way, sight.side)].note(names, match.way)
  }

  /// What the last handshake of a conversation has chosen; nil when that is not known.
  func subprotocol(_ sight: LogCandidate) -> [UInt8]? {
    subprotocols.isEmpty ? nil : subprotocols[name(sight)]?.chosen
  }

  private func name(_ sight: LogCandidate, isStream: Bool = false) -> LogConversation.Name {
    LogConversation.Name(
      format: LogFormats.family((sight.match ?? LogFormats.unmarked).format), writer: sight.writer,
      source: sight.source, session: isStream ? 0 : sight.session, isStream: isStream)
  }
}
