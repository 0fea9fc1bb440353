// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Which sessions receive a message (STOMP 1.2, "SEND", "SUBSCRIBE", "MESSAGE"). The server decides
/// what a destination means: with RabbitMQ, ActiveMQ and Artemis one consumer gets each message of
/// `/queue/…`, and `/topic/…` has the wildcards of RabbitMQ and ActiveMQ.
extension STOMPDialect {
  public func distribution(of message: Message, _ bytes: RawSpan) -> Distribution? {
    let headers = Headers(bytes)
    switch message.name {
    case let name where name.equals("CONNECTED"):
      var joined = Distribution(.joins)
      for key in ["session", "user-name"] as [StaticString] {
        if let value = headers.value(key) {
          joined.identity.append(Distribution.Name(key, value))
        }
      }
      return joined
    case let name where name.equals("DISCONNECT"): return Distribution(.leaves)
    case let name where name.equals("SEND"):
      return Self.act(.publishes, in: headers.value("transaction"))
    case let name where name.equals("COMMIT"):
      return Self.act(.commits, in: headers.value("transaction"))
    case let name where name.equals("ABORT"):
      return Self.act(.aborts, in: headers.value("transaction"))
    case let name where name.equals("SUBSCRIBE"):
      var asked = Distribution(.subscribes)
      let destination = headers.value("destination") ?? []
      asked.filters = [Self.filter(destination)]
      asked.subscription = headers.value("id") ?? destination
      return asked
    case let name where name.equals("UNSUBSCRIBE"):
      var ended = Distribution(.unsubscribes)
      ended.subscription = headers.value("id") ?? headers.value("destination") ?? []
      return ended
    case let name where name.equals("MESSAGE"):
      var delivered = Distribution(.delivers)
      delivered.subscription =
        headers.value("subscription") ?? headers.value("destination") ?? []
      return delivered
    default: return Distribution(.none)
    }
  }

  private static func act(_ act: Distribution.Act, in transaction: [UInt8]?) -> Distribution {
    var distribution = Distribution(act)
    distribution.transaction = transaction ?? []
    return distribution
  }

  private static func filter(_ destination: [UInt8]) -> TopicFilter {
    var filter = TopicFilter(destination)
    filter.isShared = destination.starts(with: "/queue/".utf8)
    if destination.starts(with: "/topic/".utf8) { filter.form = form(of: destination) }
    return filter
  }

  /// Wildcards of RabbitMQ and ActiveMQ.
  static func form(of destination: [UInt8]) -> TopicFilter.Form {
    let hasHash = destination.contains(UInt8(ascii: "#"))
    if hasHash || destination.contains(UInt8(ascii: "*")) || destination.last == UInt8(ascii: ">") {
      return .words(separator: UInt8(ascii: "."), any: "*", rest: hasHash ? "#" : ">")
    }
    return .exact
  }

  /// The headers of a frame, from its JSON.
  private struct Headers {
    private var pairs: [(name: [UInt8], value: [UInt8])] = []

    init(_ bytes: RawSpan) {
      let all = ByteRange(0, bytes.byteCount)
      guard let list = JSON.value(of: "headers", in: all, bytes) else { return }
      var elements = JSON.Members(ofArray: list.range)
      while let pair = elements.next(bytes) {
        guard let (name, value) = JSON.pair(pair.value.range, bytes) else { continue }
        pairs.append((bytes[name.content].copied(), bytes[value.content].copied()))
      }
    }

    /// The first header with this name counts (STOMP 1.2, "Repeated Header Entries").
    func value(_ name: StaticString) -> [UInt8]? {
      pairs.first { $0.name.span.bytes.equals(name) }?.value
    }
  }
}
