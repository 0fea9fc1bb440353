// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension InspectorState {
  /// What is kept of a connection that was opened.
  struct Connection {
    /// Number in output order, from 1; 0 for a flow without a connection.
    var number: UInt32 = 0
    var router: UInt32 = 0
    var realm: UInt32 = 0
    /// The number of router and realm by their names.
    var realmPlace: Int32 = 0
    var realmSession: UInt16 = 0
    /// It comes from a log, an export or pasted messages, without captured packets.
    var isWritten = true
    /// Whether it may be several sessions in one.
    private(set) var mixing = Opening.Mixing.none

    init() {}

    /// A connection without its number, router and realm.
    init(_ opening: Opening) {
      isWritten = !opening.provenance.writer.isEmpty
      mixing = opening.provenance.mixing
    }

    mutating func mix() { if mixing == .none { mixing = .some } }
  }

  /// Findings about a new connection that arise from comparing it with others.
  mutating func compare(_ opening: Opening, _ delivery: Delivery) {
    if let finding = reconnects.opened(opening, delivery) { self.finding(finding) }
    if let finding = nonces.opened(opening, delivery) { self.finding(finding) }
  }

  /// A session joins a realm of its router; within the realm, the router's ids are shared.
  mutating func enter(_ realm: RawSpan, _ flow: Int, _ session: UInt16) {
    placeName.removeAll()
    placeName.append(decimal: UInt64(connections[flow].router))
    placeName.append(" ")
    placeName.append(realm)
    connections[flow].realmSession = session
    let place = Self.number(of: placeName, &places)
    if place == connections[flow].realmPlace { return }
    realms.leave(connections[flow].realmPlace)
    connections[flow].realm = realms.join(place)
    connections[flow].realmPlace = place
  }

  static func number(of name: borrowing TextBuffer, _ places: inout Interner) -> Int32 {
    places.number(of: name.bytes)
  }

  mutating func refused(_ attempt: Opening, _ delivery: Delivery) {
    renderer.refused(attempt, delivery)
    if let finding = reconnects.refused(attempt, delivery) { self.finding(finding) }
  }
}
