// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Conversations whose frames and bytes are printed.
extension LogConversations {
  /// Whether the bytes of a conversation go into a stream.
  func isStream(_ candidate: LogCandidate) -> Bool { names[name(candidate, isStream: true)] != nil }

  /// Whether a message of this conversation has come.
  func isKnown(_ candidate: LogCandidate) -> Bool { names[name(candidate)] != nil }

  /// An origin with its conversation, if that has begun; nil if not.
  func find(_ candidate: LogCandidate) -> Origin? {
    guard let match = candidate.match,
      let index = names[name(candidate)] ?? unnamed[name(candidate)]?.last
    else { return nil }
    var origin = candidate.origin
    origin.flow = conversations[index].flow
    let side = conversations[index].side == .unknown ? candidate.side : conversations[index].side
    origin.direction = match.form.direction(match.way, side)
    return origin
  }

  /// The connection of a message is closed: what comes next is of another.
  mutating func end(_ candidate: LogCandidate) {
    noteEnd(candidate)
    guard let index = names[name(candidate)] else { return }
    (conversations[index].isOpen, conversations[index].isEnded) = (false, true)
  }

  /// The origin of some bytes, with their stream, their direction and their place in it; nil where
  /// the line follows no rule.
  mutating func placeStream(
    _ candidate: LogCandidate, _ octets: RawSpan, _ sink: any EvidenceSink
  ) -> Origin? {
    guard let match = candidate.match else { return nil }
    let name = name(candidate, isStream: true)
    let isRequest = octets.starts(with: "GET ")
    if isRequest, let before = names.removeValue(forKey: name) {
      latest[name.format] = nil
      close(before, sink)
    }
    if names[name] == nil {
      var opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      (opening.provenance.hasOctets, opening.provenance.isWrittenWhole) = (true, isRequest)
      opening.provenance.writer = Array("log of \(match.form.title)".utf8)
      for name in [candidate.source, candidate.writer] where !name.isEmpty {
        opening.provenance.writer += Array(", \(name)".utf8)
      }
      names[name] = open(opening, candidate, match.form, sink)
    }
    let index = names[name]!
    var origin = candidate.origin
    origin.flow = conversations[index].flow
    origin.direction = match.form.direction(match.way, conversations[index].side)
    let count = UInt64(octets.byteCount)
    if origin.direction == .toServer {
      origin.offset = conversations[index].octets.0
      conversations[index].octets.0 += count
    } else {
      origin.offset = conversations[index].octets.1
      conversations[index].octets.1 += count
    }
    conversations[index].last = origin
    return origin
  }

  /// A line of a handshake names subprotocols.
  mutating func note(subprotocol names: [UInt8], _ candidate: LogCandidate) {
    guard let match = candidate.match, !names.isEmpty else { return }
    let name = name(candidate)
    if subprotocols.count >= limits.connections { subprotocols.removeAll() }
    subprotocols[name, default: LogSubprotocol(match.way, candidate.side)].note(names, match.way)
  }

  /// What the last handshake of a conversation has chosen; nil when that is not known.
  func subprotocol(_ candidate: LogCandidate) -> [UInt8]? {
    subprotocols.isEmpty ? nil : subprotocols[name(candidate)]?.chosen
  }

  func name(_ candidate: LogCandidate, isStream: Bool = false) -> LogConversation.Name {
    LogConversation.Name(
      format: LogFormats.family((candidate.match ?? LogFormats.unmarked).format),
      writer: candidate.writer,
      source: candidate.source, session: isStream ? 0 : candidate.session, isStream: isStream)
  }
}
