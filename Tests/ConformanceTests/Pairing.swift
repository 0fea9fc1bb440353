// SPDX-License-Identifier: Apache-2.0

/// Which reported message is which row of a record: the nth of its leg and direction.
struct Pairing {
  /// Messages with their rows, in output order.
  private(set) var pairs: [(reported: NDJSONMessage, row: Row, place: Int)] = []
  /// What does not agree, in words.
  private(set) var complaints: [String] = []
  /// How many connections (those of equal addresses counted once) carried each leg of the record.
  private(set) var hops: [String: Int] = [:]

  init(_ decoded: Decoded, _ record: Record) {
    var byName: [String: [NDJSONMessage]] = [:]
    for message in decoded.data {
      byName[decoded.connections[message.connection]?.name ?? "", default: []].append(message)
    }
    for (name, messages) in byName.sorted(by: { $0.key < $1.key }) {
      guard let leg = record.leg(of: name, messages) else {
        for message in messages {
          complaints.append("\(name): on no leg of the record: \(message.line)")
        }
        continue
      }
      hops[leg, default: 0] += 1
      for direction in ["toServer", "toClient"] {
        pair(
          messages.filter { $0.direction == direction }, record.rows(leg, direction),
          "\(name) \(direction)")
      }
      let lost = messages.filter { $0.direction != "toServer" && $0.direction != "toClient" }
      for message in lost { complaints.append("\(name): without a direction: \(message.line)") }
    }
    pairs.sort { $0.reported.index < $1.reported.index }
  }

  private mutating func pair(_ reported: [NDJSONMessage], _ rows: [Row], _ place: String) {
    for (number, (message, row)) in zip(reported, rows).enumerated() {
      pairs.append((message, row, number))
      if let complaint = row.complaint(about: message) {
        complaints.append("\(place): \(complaint): \(message.line)")
      }
    }
    if reported.count != rows.count {
      complaints.append("\(place): \(reported.count) messages where \(rows.count) were recorded")
    }
  }

  /// The messages that are not what the record has at or after the place of the one before: what
  /// nobody sent, or not in this order, on this leg and in this direction.
  ///
  /// - Parameter legs: by connection, where the record does not go by its addresses.
  static func strangers(
    in decoded: Decoded, _ record: Record, legs: [String: String] = [:]
  ) -> [String] {
    var places: [String: Int] = [:]
    var all: [String: [Row]] = [:]
    return decoded.data.compactMap { reported in
      let name = decoded.connections[reported.connection]?.name ?? ""
      let place = name + reported.direction
      let rows = all[place] ?? record.rows(legs[name] ?? name, reported.direction)
      all[place] = rows
      let sent = reported.sent
      let found = rows.indices.dropFirst(places[place] ?? 0)
        .first {
          (sent == rows[$0].message || reported.isPartial)
            && rows[$0].complaint(about: reported) == nil
        }
      guard let found else { return "\(name): \(reported.line)" }
      places[place] = found + 1
      return nil
    }
  }
}
