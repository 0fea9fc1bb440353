// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Requests without their final answer: found by message index, and by connection in order.
struct OpenRequests {
  struct Request {
    var message: MessageReference
    var link: LinkID
    /// Its neighbours in the list of the connection; negative for none.
    fileprivate var previous: Int32 = -1
    fileprivate var next: Int32 = -1

    init(_ message: MessageReference, _ link: LinkID) {
      (self.message, self.link) = (message, link)
    }
  }

  /// The key that a request and its answers share.
  struct LinkID: Hashable {
    var connection: UInt32
    var session: UInt16
    var space: UInt8
    var key: UInt64

    init(_ message: Message, _ view: MessageView, _ link: Link) {
      (connection, session) = (view.joined.connection, message.session)
      (space, key) = (link.space, link.key)
    }
  }

  /// The ends of one connection's list.
  private struct Ends {
    var first: Int32 = -1
    var last: Int32 = -1
  }

  private var requests: ContiguousArray<Request> = []
  private var free: ContiguousArray<Int32> = []
  private var places = IDTable<Int32>()
  private var connections: ContiguousArray<Ends> = []

  var count: Int { places.count }

  mutating func insert(_ request: Request) {
    let at: Int32
    if let last = free.popLast() {
      at = last
      requests[Int(at)] = request
    } else {
      at = Int32(requests.count)
      requests.append(request)
    }
    places[WideKey(0, request.message.index)] = at
    let connection = Int(request.message.connection)
    while connections.count <= connection { connections.append(Ends()) }
    let last = connections[connection].last
    requests[Int(at)].previous = last
    if last < 0 { connections[connection].first = at } else { requests[Int(last)].next = at }
    connections[connection].last = at
  }

  /// - Parameter index: the message index.
  subscript(index: UInt64) -> MessageReference? {
    places[WideKey(0, index)].map { requests[Int($0)].message }
  }

  func contains(_ index: UInt64) -> Bool { places.slot(of: WideKey(0, index)) != nil }

  mutating func remove(_ index: UInt64) -> MessageReference? {
    guard let at = places.removeValue(for: WideKey(0, index)) else { return nil }
    let request = requests[Int(at)]
    let connection = Int(request.message.connection)
    if request.previous < 0 {
      connections[connection].first = request.next
    } else {
      requests[Int(request.previous)].next = request.next
    }
    if request.next < 0 {
      connections[connection].last = request.previous
    } else {
      requests[Int(request.next)].previous = request.previous
    }
    free.append(at)
    return request.message
  }

  /// The requests of one connection, oldest first.
  func of(_ connection: UInt32) -> [Request] {
    guard Int(connection) < connections.count else { return [] }
    var all: [Request] = []
    var at = connections[Int(connection)].first
    while at >= 0 {
      all.append(requests[Int(at)])
      at = requests[Int(at)].next
    }
    return all
  }

  /// All of them, by connection.
  var all: [Request] { connections.indices.flatMap { of(UInt32($0)) } }

  mutating func removeAll(of connection: UInt32) {
    for request in of(connection) { _ = remove(request.message.index) }
  }
}
