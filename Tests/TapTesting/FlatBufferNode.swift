// SPDX-License-Identifier: Apache-2.0

/// Writes FlatBuffers, independently of the code that reads them: each table after its vtable, and
/// referenced data after the table.
public indirect enum FlatBufferNode: Sendable {
  case u8(UInt8)
  case u16(UInt16)
  case u32(UInt32)
  case u64(UInt64)
  case string(String)
  case octets([UInt8])
  case naturals([UInt64])
  case list([FlatBufferNode])
  case table([Int: FlatBufferNode])

  /// A message: its union tag and its table.
  public static func message(_ tag: UInt8, _ fields: [Int: FlatBufferNode]) -> [UInt8] {
    var buffer: [UInt8] = [0, 0, 0, 0]
    let root = FlatBufferNode.table([0: .u8(tag), 1: .table(fields)]).lay(&buffer)
    patch(&buffer, 0, root)
    return buffer
  }

  private static func patch(_ buffer: inout [UInt8], _ at: Int, _ value: Int) {
    for octet in 0..<4 { buffer[at + octet] = UInt8(truncatingIfNeeded: value >> (octet * 8)) }
  }

  private static func append(_ value: UInt64, _ width: Int, _ buffer: inout [UInt8]) {
    for octet in 0..<width { buffer.append(UInt8(truncatingIfNeeded: value >> UInt64(octet * 8))) }
  }

  private func inline(_ buffer: inout [UInt8]) -> Bool {
    switch self {
    case .u8(let value): Self.append(UInt64(value), 1, &buffer)
    case .u16(let value): Self.append(UInt64(value), 2, &buffer)
    case .u32(let value): Self.append(UInt64(value), 4, &buffer)
    case .u64(let value): Self.append(value, 8, &buffer)
    default: return false
    }
    return true
  }

  /// Appends referenced data; returns its offset.
  private func lay(_ buffer: inout [UInt8]) -> Int {
    let start = buffer.count
    switch self {
    case .string(let text):
      Self.append(UInt64(text.utf8.count), 4, &buffer)
      buffer += Array(text.utf8) + [0]
    case .octets(let octets):
      Self.append(UInt64(octets.count), 4, &buffer)
      buffer += octets
    case .naturals(let values):
      Self.append(UInt64(values.count), 4, &buffer)
      for value in values { Self.append(value, 8, &buffer) }
    case .list(let nodes):
      Self.append(UInt64(nodes.count), 4, &buffer)
      let first = buffer.count
      for _ in nodes { Self.append(0, 4, &buffer) }
      for (index, node) in nodes.enumerated() {
        let place = first + index * 4
        Self.patch(&buffer, place, node.lay(&buffer) - place)
      }
    case .table(let fields):
      let slots = (fields.keys.max() ?? -1) + 1
      for _ in 0..<slots * 2 + 4 { buffer.append(0) }
      let table = buffer.count
      Self.append(UInt64(table - start), 4, &buffer)
      var offsets: [(place: Int, node: FlatBufferNode)] = []
      for (slot, node) in fields.sorted(by: { $0.key < $1.key }) {
        buffer[start + 4 + slot * 2] = UInt8(buffer.count - table)
        let place = buffer.count
        if !node.inline(&buffer) {
          Self.append(0, 4, &buffer)
          offsets.append((place, node))
        }
      }
      buffer[start] = UInt8(slots * 2 + 4)
      buffer[start + 2] = UInt8(buffer.count - table)
      for (place, node) in offsets { Self.patch(&buffer, place, node.lay(&buffer) - place) }
      return table
    default: preconditionFailure("stands in its table")
    }
    return start
  }
}
