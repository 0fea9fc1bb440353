// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks packets against earlier ones.
extension SocketIOReader {
  /// The default limit of attachments in the JavaScript parser (socket.io-parser 4.2.6).
  private static let usualAttachments = 10

  /// - Parameter namespace: the fingerprint of its name.
  mutating func judge(
    _ packet: SocketIOPacket, _ namespace: UInt64, _ message: Message, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if packet.attachments > Self.usualAttachments {
      listener.remark(
        .sioAttachmentTooMany, .warning, delivery.origin,
        "\(packet.attachments) attachments; parsers of JavaScript take no more than"
          + " \(Self.usualAttachments)")
    }
    let direction = delivery.origin.direction
    if direction == .unknown { return }
    // The namespace is joined, so its exchange is closed already.
    if packet.kind == .connect, direction == .toServer, sessionRules[namespace].isJoined {
      listener.remark(
        .sioConnectTwice, .error, delivery.origin,
        "this namespace is joined already: a server ends the"
          + " session for that")
    }
    sessionRules.look(message, listener)
    switch packet.kind {
    case .connect where direction == .toServer: noteRequest(namespace)
    case .connect: noteAnswer(namespace, delivery, listener)
    case .connectError:
      sessionRules.leave(namespace)
      listener.remark(
        .sioConnectRefused, .warning, delivery.origin, "the server refuses this namespace")
    case .disconnect: sessionRules.leave(namespace)
    case .event, .ack, .binaryEvent, .binaryAck:
      judgeEarly(namespace, delivery, listener)
    }
  }

  private mutating func noteRequest(_ namespace: UInt64) {
    var state = sessionRules[namespace]
    (state.isAsked, state.hasConnect) = (true, true)
    state.asks.ofServer.begin()
    state.pid = fingerprint(of: "pid")
    sessionRules[namespace] = state
  }

  private mutating func noteAnswer(
    _ namespace: UInt64, _ delivery: Delivery, _ listener: any Listener
  ) {
    var state = sessionRules[namespace]
    let pid = fingerprint(of: "pid")
    let isRecovered = state.pid == pid
    let hadID = state.pid != 0
    // Its CONNECT was not captured if it was not seen.
    (state.isAsked, state.isJoined) = (true, state.hasConnect)
    state.hasOffsets = pid != 0
    state.pid = 0
    state.asks.ofServer.begin()
    state.asks.ofClient.begin()
    sessionRules[namespace] = state
    if parser == .unknown { parser = text.value.data.isEmpty ? .four : .five }
    if hadID && !isRecovered {
      listener.remark(
        .sioRecoveryFailed, .note, delivery.origin,
        "the client came back with a session that the server does not have any more: this is a"
          + " new one")
    }
  }

  /// The fingerprint of a value in the current CONNECT; 0 when missing.
  private func fingerprint(of key: StaticString) -> UInt64 {
    let (bytes, data) = (text.value.text.bytes, text.value.data)
    guard !data.isEmpty, let value = JSON.value(of: key, in: data, bytes) else { return 0 }
    return bytes[value.range].fingerprint
  }

  /// Parser 5: nothing may be sent in a namespace before the client asked to join it.
  private mutating func judgeEarly(
    _ namespace: UInt64, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard parser == .five, sessionRules.knowsNamespaces, !sessionRules[namespace].isAsked else {
      return
    }
    // It answers a CONNECT that was lost: no server does otherwise.
    if mayLackRequests && delivery.origin.direction == .toClient { return }
    listener.remark(
      .sioEventBeforeConnect, .error, delivery.origin,
      delivery.origin.direction == .toServer
        ? "the client has not joined this namespace: a server ends the session for that"
        : "the client has not asked to join this namespace")
  }
}
