// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Reads fields of FlatBuffers tables, and checks every offset. It knows no schema: callers know
/// the type of each slot.
///
/// An absent field is nil. One outside the buffer is nil too, and sets `fault`.
public struct FlatBuffer: Sendable {
  /// A table: its position, and its vtable, which locates its fields.
  public struct Table: Sendable, BitwiseCopyable {
    public var position: Int
    fileprivate var vtable: Int
    /// The number of slots in the vtable.
    public fileprivate(set) var slots: Int
    /// The end of the table.
    fileprivate var end: Int
  }

  /// The first fault, with its offset.
  public private(set) var fault: TranscodingFault?
  /// The end of the last byte that was read, as a buffer does not give its length.
  public private(set) var extent = 0

  public init() {}

  public mutating func fail(_ problem: TranscodingFault.Problem, _ offset: Int) {
    if fault == nil { fault = TranscodingFault(problem, offset: offset) }
  }

  /// The root table.
  public mutating func root(_ bytes: RawSpan) -> Table? {
    guard bytes.byteCount >= 8 else {
      fail(.incomplete, 0)
      return nil
    }
    let position = Int(Self.uint32(bytes, 0))
    guard position >= 4 else {
      fail(.unexpected, 0)
      return nil
    }
    return table(bytes, at: position, from: 0)
  }

  /// The table at a position that was read at the offset `source`.
  private mutating func table(_ bytes: RawSpan, at position: Int, from source: Int) -> Table? {
    guard position >= 0, position <= bytes.byteCount &- 4 else {
      fail(.overlong, source)
      return nil
    }
    // The vtable is before the table, or after it if the distance is negative.
    let distance = Int(Int32(bitPattern: Self.uint32(bytes, position)))
    let vtable = position &- distance
    guard vtable >= 0, vtable <= bytes.byteCount &- 4 else {
      fail(.overlong, position)
      return nil
    }
    let size = Int(Self.uint16(bytes, vtable))
    let tableSize = Int(Self.uint16(bytes, vtable &+ 2))
    guard size >= 4, size & 1 == 0, size <= bytes.byteCount &- vtable, tableSize >= 4,
      tableSize <= bytes.byteCount &- position
    else {
      fail(.unexpected, vtable)
      return nil
    }
    extent = max(extent, position &+ tableSize, vtable &+ size)
    return Table(
      position: position, vtable: vtable, slots: (size &- 4) / 2, end: position &+ tableSize)
  }

  /// Whether a field is present.
  public func has(_ slot: Int, of table: Table, _ bytes: RawSpan) -> Bool {
    slot < table.slots && Self.uint16(bytes, table.vtable &+ 4 &+ slot &* 2) != 0
  }

  /// The offset of a field of `width` bytes.
  private mutating func place(
    _ slot: Int, of table: Table, _ width: Int, _ bytes: RawSpan
  ) -> Int? {
    guard slot < table.slots else { return nil }
    let offset = Int(Self.uint16(bytes, table.vtable &+ 4 &+ slot &* 2))
    if offset == 0 { return nil }
    let place = table.position &+ offset
    guard offset >= 4, place <= table.end &- width else {
      fail(.overlong, table.vtable &+ 4 &+ slot &* 2)
      return nil
    }
    return place
  }

  /// An unsigned integer of 1, 2, 4 or 8 bytes.
  public mutating func natural(
    _ slot: Int, of table: Table, _ width: Int, _ bytes: RawSpan
  ) -> UInt64? {
    guard let place = place(slot, of: table, width, bytes) else { return nil }
    return Self.natural(bytes, place, width)
  }

  /// The range of the vector or string that a field refers to; elements have `elementOctets` bytes.
  public mutating func vector(
    _ slot: Int, of table: Table, elementOctets: Int = 1, _ bytes: RawSpan
  ) -> Range<Int>? {
    guard let place = place(slot, of: table, 4, bytes) else { return nil }
    return vector(bytes, at: place, elementOctets)
  }

  /// The range of the vector or string that the offset at `place` refers to.
  public mutating func vector(
    _ bytes: RawSpan, at place: Int, _ elementOctets: Int = 1
  ) -> Range<Int>? {
    let start = place &+ Int(Self.uint32(bytes, place))
    guard start > place, start <= bytes.byteCount &- 4 else {
      fail(.overlong, place)
      return nil
    }
    let count = Int(Self.uint32(bytes, start))
    guard count <= (bytes.byteCount &- start &- 4) / elementOctets else {
      fail(.overlong, start)
      return nil
    }
    let end = start &+ 4 &+ count &* elementOctets
    extent = max(extent, end)
    return start &+ 4..<end
  }

  /// The table that a field refers to.
  public mutating func table(_ slot: Int, of table: Table, _ bytes: RawSpan) -> Table? {
    guard let place = place(slot, of: table, 4, bytes) else { return nil }
    return self.table(bytes, at: place)
  }

  /// The table that the offset at `place` refers to.
  public mutating func table(_ bytes: RawSpan, at place: Int) -> Table? {
    let distance = Int(Self.uint32(bytes, place))
    guard distance > 0 else {
      fail(.unexpected, place)
      return nil
    }
    return table(bytes, at: place &+ distance, from: place)
  }

  /// A little-endian integer of `width` bytes, which must be present.
  public static func natural(_ bytes: RawSpan, _ at: Int, _ width: Int) -> UInt64 {
    switch width {
    case 1: UInt64(bytes.byte(at: at))
    case 2: UInt64(uint16(bytes, at))
    case 4: UInt64(uint32(bytes, at))
    default: bytes.uint64(at: at).byteSwapped
    }
  }

  private static func uint16(_ bytes: RawSpan, _ at: Int) -> UInt16 {
    bytes.uint16(at: at).byteSwapped
  }

  private static func uint32(_ bytes: RawSpan, _ at: Int) -> UInt32 {
    bytes.uint32(at: at).byteSwapped
  }
}
