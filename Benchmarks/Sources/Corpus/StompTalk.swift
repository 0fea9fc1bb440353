// SPDX-License-Identifier: Apache-2.0

/// Writes the frames of one STOMP 1.2 session of an application with a broker: messages sent with a
/// receipt, and messages of subscriptions.
struct StompTalk {
  private static let destinations: [StaticString] = [
    "/topic/sensors.temperature", "/topic/sensors.humidity", "/queue/orders", "/topic/chat.lobby",
    "/topic/market.quotes",
  ]

  private let number: Int
  private var reported = 0
  private var receipt = 0
  /// The next receipt that is due.
  private var nextReceipt = 1
  private var message = 0

  init(number: Int) { self.number = number }

  /// Writes the next frame.
  ///
  /// - Returns: whether the client sends it.
  mutating func next(into text: inout [UInt8], words: [UInt8], _ random: inout Random) -> Bool {
    text.removeAll(keepingCapacity: true)
    reported += 1
    switch reported {
    case 1:
      text.append("CONNECT\naccept-version:1.2\nhost:broker.example\nheart-beat:0,0\n\n\0")
      return true
    case 2:
      text.append("CONNECTED\nversion:1.2\nheart-beat:0,0\nserver:broker/1.0\nsession:s")
      text.append(decimal: UInt64(number))
      text.append("\n\n\0")
      return false
    case 3:
      text.append("SUBSCRIBE\nid:sub-0\ndestination:")
      text.append(Self.destinations[number % Self.destinations.count])
      text.append("\nack:auto\n\n\0")
      return true
    default: break
    }
    if nextReceipt <= receipt && random.below(2) == 0 {
      text.append("RECEIPT\nreceipt-id:r")
      text.append(decimal: UInt64(nextReceipt))
      text.append("\n\n\0")
      nextReceipt += 1
      return false
    }
    if random.below(2) == 0 {
      receipt += 1
      text.append("SEND\ndestination:")
      text.append(Self.destinations[random.below(Self.destinations.count)])
      text.append("\nreceipt:r")
      text.append(decimal: UInt64(receipt))
      body(&text, words, &random)
      return true
    }
    message += 1
    text.append("MESSAGE\nsubscription:sub-0\nmessage-id:")
    text.append(decimal: UInt64(number))
    text.append("-")
    text.append(decimal: UInt64(message))
    text.append("\ndestination:")
    text.append(Self.destinations[number % Self.destinations.count])
    body(&text, words, &random)
    return false
  }

  /// The last headers, a JSON body, and NUL.
  private func body(_ text: inout [UInt8], _ words: [UInt8], _ random: inout Random) {
    var body: [UInt8] = []
    body.append("{\"id\":")
    body.append(decimal: UInt64(random.below(100_000)))
    body.append(",\"label\":\"")
    let count = 10 + random.below(60)
    let start = random.below(words.count - count)
    body.append(contentsOf: words[start..<start + count])
    body.append("\"}")
    text.append("\ncontent-type:application/json\ncontent-length:")
    text.append(decimal: UInt64(body.count))
    text.append("\n\n")
    text += body
    text.append(0)
  }
}
