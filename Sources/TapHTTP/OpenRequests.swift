// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The unanswered requests of one connection, in order (RFC 9112 §9.3.2). When there are too many,
/// those that cannot change the protocol are only counted.
struct OpenRequests {
  /// The method, as far as it determines whether the answer has a body.
  enum Method {
    case head, connect, other

    init(of request: Head) {
      self = request.isMethod("HEAD") ? .head : request.isMethod("CONNECT") ? .connect : .other
    }
  }

  /// A request whose response has not come.
  struct Asked {
    let method: Method
    let upgrade: Upgrade?
    /// It asks to change to another protocol than WebSocket (RFC 9110 §7.8).
    var changesOtherwise = false
    /// Where its head ended.
    let origin: Origin
    /// Reads the bodies; nil when they are skipped.
    var reader: (any HTTPExchangeReader)?
    var hasBody = false
    /// Requests just before it that were only counted.
    fileprivate var countedBefore = 0

    /// The answer decides what the client's next bytes are.
    var mayChange: Bool { upgrade != nil || method == .connect || changesOtherwise }

    init(_ head: Head, _ upgrade: consuming Upgrade?, _ origin: Origin) {
      self.origin = origin
      method = Method(of: head)
      changesOtherwise =
        upgrade == nil && head.has("upgrade") && head.lists("upgrade", in: "connection")
      self.upgrade = upgrade
    }
  }

  private var asked: [Asked] = []
  /// Requests after the last of `asked` that were only counted.
  private var counted = 0
  private let most: Int

  /// - Parameter most: how many are remembered.
  init(most: Int) { self.most = most }

  var isEmpty: Bool { asked.isEmpty && counted == 0 }

  /// The last request, if it is remembered.
  var last: Asked? { asked.last }

  var hasUpgrade: Bool { asked.contains { $0.upgrade != nil } }

  /// The last request for WebSocket.
  var upgrade: Upgrade? { asked.last { $0.upgrade != nil }?.upgrade }

  /// Adds a request; false when it is only counted.
  mutating func add(_ request: consuming Asked) -> Bool {
    guard asked.count < most || request.mayChange && asked.count < 2 * most else {
      counted += 1
      return false
    }
    request.countedBefore = counted
    asked.append(request)
    counted = 0
    return true
  }

  /// Takes the request that is answered next; nil when it was only counted, or there is none.
  mutating func next() -> Asked? {
    if asked.isEmpty {
      counted = max(0, counted - 1)
      return nil
    }
    if asked[0].countedBefore > 0 {
      asked[0].countedBefore -= 1
      return nil
    }
    return asked.removeFirst()
  }

  /// Forgets all but the last: they may have been answered outside of the capture.
  mutating func keepLast() {
    asked.removeFirst(max(0, asked.count - 1))
    if !asked.isEmpty { asked[0].countedBefore = 0 }
  }

  /// Takes the readers of requests whose answers will not be seen.
  mutating func takeReaders() -> [any HTTPExchangeReader] {
    var taken: [any HTTPExchangeReader] = []
    for place in asked.indices {
      if let reader = asked[place].reader { taken.append(reader) }
      asked[place].reader = nil
    }
    return taken
  }

  /// Forgets all requests, and returns their readers.
  mutating func takeAll() -> [any HTTPExchangeReader] {
    defer { removeAll() }
    return takeReaders()
  }

  /// A head after a gap answers the last request before it; the answers to earlier ones were lost.
  /// Forgets these, and returns their readers.
  mutating func keepLast(before head: Origin) -> [any HTTPExchangeReader] {
    guard let last = asked.lastIndex(where: { $0.origin.isBefore(head) }), last > 0 else {
      return []
    }
    let lost = asked[..<last].compactMap(\.reader)
    asked.removeFirst(last)
    asked[0].countedBefore = 0
    return lost
  }

  mutating func removeAll() { (asked, counted) = ([], 0) }
}
