// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapTraffic

/// Makes a script of records from the input: two bytes of orders for each, then content.
struct MadeRecords {
  /// The limit of records, as encrypting them takes time.
  private static let most = 48

  let suite: Suite
  private(set) var writer = StreamScript.Writer()
  /// The encrypted application data, by direction.
  private(set) var sealed: [[[UInt8]]] = [[], []]
  private var sealers: [Sealer]
  /// The next step of the handshake.
  private var step = 0
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ orders: UnsafeRawBufferPointer, _ suite: Suite) {
    (rest, self.suite, sealers) = (orders[...], suite, suite.traffic)
  }

  mutating func writeAll() {
    var count = 0
    while rest.count >= 2 && count < Self.most {
      count += 1
      let (what, length) = (rest.removeFirst(), rest.removeFirst())
      let content = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(content.count)
      let direction: Direction = what & 16 == 0 ? .toServer : .toClient
      let kind = what & 15
      if kind == 7 {
        shakeHands(joins: what & 32 != 0, isLost: what & 64 != 0)
        continue
      }
      if kind == 8 {
        let orders: [StreamScript.Order] = [.half, .wait, .cut, .unknownGap]
        writer.append(orders[Int(length & 3)], direction)
        continue
      }
      let octets = octets(kind, content, direction)
      if what & 64 != 0 {
        writer.append(gap: what & 128 == 0 ? octets.count : nil, direction)
      } else if what & 128 != 0 && octets.count > 2 {
        // A part of its middle is missing.
        let (first, last) = (Int(length) % (octets.count - 1), octets.count * 2 / 3)
        writer.append(Array(octets[..<first]), direction, joins: what & 32 != 0)
        writer.append(gap: max(last - first, 1), direction)
        writer.append(Array(octets[max(last, first + 1)...]), direction, joins: true)
      } else {
        writer.append(octets, direction, joins: what & 32 != 0)
      }
    }
  }

  private mutating func octets(
    _ kind: UInt8, _ content: [UInt8], _ direction: Direction
  ) -> [UInt8] {
    let side = Int(direction.rawValue)
    switch kind {
    case 0, 1, 2:
      sealed[side].append(content)
      return sealers[side].seal(23, content, padding: kind == 2 ? content.count : 0)
    case 3: return sealers[side].seal(22, content)
    case 4:
      if !suite.isTLS13 { return sealers[side].seal(20, [1]) }
      defer { sealers[side].update() }
      return sealers[side].seal(22, Suite.message(24, [0]))
    case 5: return sealers[side].seal(21, content)
    case 6:
      // Not encrypted.
      let type = 20 + (content.first ?? 0) % 5
      return Sealer.header(type, content.count) + content
    case 9:
      // Modified after encryption.
      sealed[side].append(content)
      var record = sealers[side].seal(23, content)
      record[5 + (content.reduce(0) { $0 + Int($1) }) % (record.count - 5)] ^= 0x10
      return record
    case 10:
      // With keys that are no longer in use.
      sealed[side].append(content)
      var other = suite.handshake[side]
      return other.seal(23, content)
    case 11:
      // Some records are missing from the stream without a gap.
      for _ in content { _ = sealers[side].seal(23, []) }
      return []
    default: return content
    }
  }

  /// The next flight of a correct handshake.
  private mutating func shakeHands(joins: Bool, isLost: Bool) {
    let direction: Direction = step == 1 ? .toClient : .toServer
    var flight: [UInt8]
    switch step {
    case 0: flight = plain(suite.clientHello)
    case 1 where suite.isTLS13:
      var sealer = suite.handshake[1]
      flight = plain(suite.serverHello) + Sealer.header(20, 1) + [1]
      flight += sealer.seal(22, Suite.message(8, [0, 0]), padding: 3)
      flight += sealer.seal(22, Self.finished)
    case 1: flight = plain(suite.serverHello) + plain(Suite.message(14, [])) + changed(1)
    case 2 where suite.isTLS13:
      var sealer = suite.handshake[0]
      flight = Sealer.header(20, 1) + [1] + sealer.seal(22, Self.finished)
    default: flight = changed(0)
    }
    step = min(step + 1, 2)
    if isLost {
      writer.append(gap: flight.count, direction)
    } else {
      writer.append(flight, direction, joins: joins)
    }
  }

  private func plain(_ message: [UInt8]) -> [UInt8] { Sealer.header(22, message.count) + message }

  private mutating func changed(_ side: Int) -> [UInt8] {
    Sealer.header(20, 1) + [1] + sealers[side].seal(22, Self.finished)
  }

  private static let finished = Suite.message(20, [UInt8](repeating: 9, count: 12))
}
