// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// STOMP as a server of it would hardly send it, broken on purpose.
extension Crafted {
  static let stomp = [
    Crafted("stomp/raw-subscribe/input.pcap", rawSubscribe),
    Crafted("stomp/broken-frames/input.pcap", brokenFrames),
    Crafted("stomp/broken-headers/input.pcap", brokenHeaders),
    Crafted("stomp/sessions/input.pcap", sessionsOfSTOMP),
    Crafted("stomp/subscriptions/input.pcap", subscriptions),
    Crafted("stomp/receipts/input.pcap", receipts),
    Crafted("stomp/heart-beats/input.pcap", heartBeats),
    Crafted("stomp/request-reply/input.pcap", requestReply),
    Crafted("stomp/tcp-gap/input.pcap", gapOverTCP),
    Crafted("stomp/tcp-midstream/input.pcap", midstreamOverTCP),
  ]

  private typealias Sent = (Direction, String)

  /// A frame: its lines, and a NUL.
  private static func frame(_ lines: String..., body: String = "") -> String {
    lines.joined(separator: "\n") + "\n\n" + body + "\0"
  }

  private static let connect = frame("CONNECT", "accept-version:1.2", "host:/")
  private static let connected = frame(
    "CONNECTED", "version:1.2", "server:example/1.0", "session:s1")

  private static func session(
    _ port: UInt16 = 50_000, subprotocol: String? = "v12.stomp", connects: Bool = true,
    disconnects: Bool = true, closes: Bool = true, frames: [Sent]
  ) -> Dialogue {
    var talk = Dialogue.from(port)
    talk.open(subprotocol)
    if connects {
      talk.text(.toServer, connect)
      talk.text(.toClient, connected)
    }
    for (direction, frame) in frames { talk.text(direction, frame) }
    if disconnects {
      talk.text(.toServer, frame("DISCONNECT", "receipt:bye"))
      talk.text(.toClient, frame("RECEIPT", "receipt-id:bye"))
    }
    if closes { talk.close() }
    return talk
  }

  /// The captures of several conversations, one after the other.
  private static func pcap(_ talks: [Dialogue]) -> [UInt8] {
    var all = Dialogue()
    for talk in talks {
      let shift = all.clock - (talk.packets.first?.0 ?? 0)
      for packet in talk.packets { all.packets.append((packet.0 + shift, packet.1)) }
      all.clock = (all.packets.last?.0 ?? 0) + 100_000_000
    }
    return all.pcap()
  }

  /// What an application wrote that took STOMP for plain text: no CONNECT, and no NUL.
  private static func rawSubscribe() -> [UInt8] {
    session(
      subprotocol: nil, connects: false, disconnects: false,
      frames: [
        (.toServer, "SUBSCRIBE\nid:sub-0\ndestination:/topic/chat\n\n"),
        (.toServer, "SEND\ndestination:/app/chat\n\n{\"text\":\"anybody here?\"}"),
      ]
    ).pcap()
  }

  private static func brokenFrames() -> [UInt8] {
    let two =
      frame("SEND", "destination:/queue/a", body: "one") + "\n"
      + frame("SEND", "destination:/queue/a", body: "two")
    return session(
      frames: [
        (.toServer, frame("send", "destination:/queue/a", body: "lower case")),
        (.toServer, frame("HELLO", "destination:/queue/a")),
        (.toServer, frame("MESSAGE", "destination:/queue/a", "message-id:1", "subscription:0")),
        (.toServer, frame("SEND", "destination:/queue/a", "content-length:6", body: "zpráva")),
        (.toServer, frame("SEND", "destination:/queue/a", "content-length:3", body: "hello")),
        (.toServer, frame("SEND", "destination:/queue/a", "content-length:many", body: "hello")),
        (.toServer, "SEND\ndestination:/queue/a\n\na\0b\0\n"),
        (.toServer, frame("BEGIN", "transaction:t", body: "data")),
        (.toServer, frame("ABORT", "transaction:t")),
        (.toServer, "SEND\ndestination:/queue/a\nhello\0"),
        // Two frames in one message, and one in two, cut within an escape.
        (.toServer, two),
        (.toServer, "SEND\ndestination:/queue/a\nx-path:c\\"), (.toServer, "c\\\\temp\n\nthree\0"),
      ]).pcap()
  }

  private static func brokenHeaders() -> [UInt8] {
    let many = (0..<1100).map { "h\($0 % 10):1" }.joined(separator: "\n")
    var talk = session(
      disconnects: false, closes: false,
      frames: [
        (.toServer, frame("SEND", body: "nowhere")),
        (.toServer, frame("SEND", "destination:", body: "nowhere")),
        (.toServer, frame("SEND", "destination:/queue/a", "destination:/queue/b", body: "a")),
        (.toServer, frame("SEND", "destination: /queue/a", body: "padded")),
        (.toServer, frame("SEND", "destination:/queue/a", "Content-Type:text/plain", body: "x")),
        (.toServer, frame("SEND", "destination:/queue/a", "x-path:C:\\temp", body: "x")),
        (.toServer, frame("ACK", "message-id:7", "subscription:0")),
      ])
    var raw = Array("SEND\ndestination:/queue/a\nx-name:Jos".utf8)
    raw.append(0xE9)
    talk.frame(.toServer, opcode: 2, raw + Array("\n\nlatin\0".utf8))
    talk.frame(.toServer, opcode: 2, Array("SEND\ndestination:/queue/a\n\(many)\n\n\0".utf8))
    talk.close()
    var old = Dialogue.from(50_001)
    old.open("v11.stomp")
    old.text(.toServer, "CONNECT\r\naccept-version:1.1\r\nhost:a\\cb\r\n\r\n\0")
    old.text(.toClient, frame("CONNECTED", "version:1.1"))
    old.text(.toServer, "SEND\r\ndestination:/queue/a\r\n\r\nlines of HTTP\0")
    old.text(.toServer, frame("DISCONNECT"))
    old.close()
    return pcap([talk, old])
  }

  private static func sessionsOfSTOMP() -> [UInt8] {
    let none = session(
      50_000, subprotocol: nil, connects: false, disconnects: false,
      frames: [
        (.toServer, frame("CONNECT", "login:anna", "passcode:s3cr3t", "receipt:r0")),
        (.toClient, frame("CONNECTED", "heart-beat:never")),
        (.toServer, frame("SUBSCRIBE", "destination:/queue/a", "ack:client-individual")),
        (.toServer, connect),
      ])
    let refused = session(
      50_001, connects: false, disconnects: false,
      frames: [
        (.toServer, frame("CONNECT", "accept-version:1.2", "login:anna", "passcode:anna")),
        (
          .toClient,
          frame(
            "ERROR", "message:Bad CONNECT", "content-type:text/plain",
            body: "Access refused for user 'anna'")
        ),
      ])
    let unanswered = session(
      50_002, connects: false, disconnects: false, frames: [(.toServer, connect)])
    var error = session(50_003, disconnects: false, closes: false, frames: [])
    error.text(
      .toServer, frame("SEND", "destination:/nowhere", "receipt:r1", body: "hello"))
    error.text(
      .toClient,
      frame("ERROR", "message:Unknown destination", "receipt-id:r1", body: "'/nowhere' is none"))
    error.wait(milliseconds: 2000)
    error.text(.toClient, "\n")
    error.text(.toServer, frame("SEND", "destination:/queue/a", "receipt:r2", body: "hello"))
    error.text(.toClient, frame("RECEIPT", "receipt-id:r2"))
    error.text(.toServer, frame("DISCONNECT", "receipt:bye"))
    error.text(.toServer, frame("SEND", "destination:/queue/a", body: "too late"))
    error.close()
    var unlike = Dialogue.from(50_004)
    unlike.open("v12.stomp")
    unlike.text(.toServer, frame("CONNECT", "accept-version:1.2,1.0"))
    unlike.text(.toClient, frame("CONNECTED", "version:1.1", "server:C:\\nowhere"))
    unlike.close(.toClient, 1001, "going away")
    unlike.close(.toServer, 1001)
    unlike.end()
    return pcap([none, refused, unanswered, error, unlike])
  }

  private static func subscriptions() -> [UInt8] {
    func message(_ subscription: String, _ id: Int, _ more: String...) -> String {
      let lines = ["MESSAGE", "subscription:\(subscription)", "destination:/queue/a"]
      return (lines + ["message-id:m\(id)", "ack:a\(id)"] + more).joined(separator: "\n")
        + "\n\njob \(id)\0"
    }
    return session(
      disconnects: false,
      frames: [
        (.toServer, frame("SUBSCRIBE", "id:0", "destination:/queue/a", "ack:client-individual")),
        (.toServer, frame("SUBSCRIBE", "id:0", "destination:/queue/b", "ack:sometimes")),
        (.toServer, frame("SUBSCRIBE", "id:1", "destination:/queue/a", "ack:client")),
        (.toServer, frame("SUBSCRIBE", "id:2", "destination:/queue/a")),
        (.toClient, message("1", 1)), (.toClient, message("1", 2, "redelivered:true")),
        (.toClient, message("1", 3)), (.toServer, frame("ACK", "id:a2")),
        (.toServer, frame("ACK", "id:a1")), (.toServer, frame("NACK", "id:m3")),
        (.toClient, message("2", 4)), (.toServer, frame("ACK", "id:a4")),
        (.toClient, message("9", 5)),
        (.toServer, frame("UNSUBSCRIBE", "id:/queue/a")), (.toServer, frame("UNSUBSCRIBE", "id:1")),
        (.toClient, message("1", 6)),
      ]
    ).pcap()
  }

  private static func receipts() -> [UInt8] {
    session(
      disconnects: false,
      frames: [
        (.toServer, frame("BEGIN", "transaction:t1")),
        (.toServer, frame("BEGIN", "transaction:t1")),
        (.toServer, frame("SEND", "destination:/queue/a", "transaction:t1", body: "1")),
        (.toServer, frame("SEND", "destination:/queue/a", "transaction:t2", body: "2")),
        (.toServer, frame("COMMIT", "transaction:t3", "receipt:r1")),
        (.toServer, frame("SEND", "destination:/queue/a", "receipt:r1", body: "3")),
        (.toClient, frame("RECEIPT", "receipt-id:r1")),
        (.toClient, frame("RECEIPT", "receipt-id:r9")),
        (.toServer, frame("SEND", "destination:/queue/a", "receipt:r2", body: "4")),
      ]
    ).pcap()
  }

  /// The client is silent, and the server gives up; in another one, beats that nobody asked for.
  private static func heartBeats() -> [UInt8] {
    var talk = Dialogue.from(50_000)
    talk.connect()
    talk.send(
      .toServer, frame("CONNECT", "accept-version:1.2", "host:/", "heart-beat:1000,1000"))
    talk.send(.toClient, frame("CONNECTED", "version:1.2", "heart-beat:1000,1000", "server:x/1"))
    for _ in 0..<3 {
      talk.wait(milliseconds: 980)
      talk.send(.toClient, "\n")
      talk.send(.toServer, "\n")
    }
    for _ in 0..<3 {
      talk.wait(milliseconds: 980)
      talk.send(.toClient, "\n")
    }
    talk.capture(talk.conversation.fin(.toClient))
    talk.capture(talk.conversation.fin(.toServer))
    var unasked = Dialogue.from(50_001)
    unasked.connect()
    unasked.send(.toServer, connect)
    unasked.send(.toClient, connected + "\n")
    unasked.send(.toServer, "\n")
    unasked.send(.toServer, frame("DISCONNECT"))
    unasked.end()
    return pcap([talk, unasked])
  }

  /// A question, and the answer to it.
  private static func requestReply() -> [UInt8] {
    session(
      50_001,
      frames: [
        (.toServer, frame("SUBSCRIBE", "id:0", "destination:/queue/replies")),
        (
          .toServer,
          frame(
            "SEND", "destination:/queue/work", "reply-to:/queue/replies", "correlation-id:c1",
            "content-type:application/json", body: "{\"n\":2}")
        ),
        (
          .toClient,
          frame(
            "MESSAGE", "subscription:0", "destination:/queue/replies", "message-id:1",
            "correlation-id:c1", body: "{\"square\":4}")
        ),
        (.toServer, frame("UNSUBSCRIBE", "id:0")),
      ]
    ).pcap()
  }

  /// A segment is missing: its frame is lost, and the one behind it is read.
  private static func gapOverTCP() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, connect)
    talk.send(.toClient, connected)
    talk.send(.toServer, frame("SUBSCRIBE", "id:0", "destination:/queue/a") + "SEND\ndestina")
    talk.send(.toServer, "tion:/queue/a\n\nlost\0")
    talk.drop()
    talk.send(.toServer, "the rest of a body\0" + frame("SEND", "destination:/queue/a", body: "2"))
    talk.send(.toClient, frame("MESSAGE", "subscription:7", "destination:/a", "message-id:1"))
    talk.send(.toServer, "SEND\ndestination:/queue/a\n\nnot all of i")
    talk.end()
    return talk.pcap()
  }

  /// The capture began late.
  private static func midstreamOverTCP() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.dropAll()
    talk.send(
      .toServer,
      frame("SEND", "destination:/queue/a", "receipt:r1", body: "before")
        + frame("SEND", "destination:/queue/a", "receipt:r2", body: "hello"))
    talk.send(.toClient, frame("RECEIPT", "receipt-id:r2") + "\n")
    talk.send(.toClient, frame("MESSAGE", "subscription:7", "destination:/a", "message-id:1"))
    talk.send(.toServer, frame("ACK", "id:unknown"))
    talk.end()
    return talk.pcap()
  }
}
