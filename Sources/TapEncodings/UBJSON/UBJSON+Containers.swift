// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Containers that give the type and the number of their values in advance.
extension UBJSON {
  /// The limit of dimensions.
  private static let maximumDimensions = 32

  /// Reads the header after an opening bracket, and with it arrays whose values need no individual
  /// reading. Returns the offset after that.
  func open(
    _ isObject: Bool, _ bytes: RawSpan, _ start: Int, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) -> Int? {
    let least = isObject ? 1 : 0
    let found = header(bytes, start, least, mayHaveDimensions: !isObject, offset, &composer)
    guard let header = found else { return nil }
    guard header.marker != 0, !isObject, let count = header.count else {
      return composer.open(isObject: isObject, header.count, offset, marker: header.marker, &text)
        ? header.end : nil
    }
    if header.marker == (isLittleEndian ? UInt8(ascii: "B") : UInt8(ascii: "U")),
      header.dimensions.isEmpty
    {
      // Implementations send binary values this way.
      composer.octets(bytes.extracting(header.end..<header.end &+ count), offset, &text)
      return header.end &+ count
    }
    if header.dimensions.count > 1 {
      composer.note(.dimensions, offset)
      return append(header, bytes, offset, &composer, &text)
    }
    return composer.open(isObject: false, count, offset, marker: header.marker, &text)
      ? header.end : nil
  }

  /// Reads `$` and the marker of all values, `#` and their count. The count is checked here against
  /// the least bytes that keys and values take.
  private func header(
    _ bytes: RawSpan, _ start: Int, _ keyOctets: Int, mayHaveDimensions: Bool, _ offset: Int,
    _ composer: inout Composer
  ) -> Header? {
    var header = Header(end: start)
    guard start < bytes.byteCount else {
      composer.fail(.incomplete, offset)
      return nil
    }
    if bytes.byte(at: start) == UInt8(ascii: "$") {
      guard start &+ 2 < bytes.byteCount else {
        composer.fail(.incomplete, offset)
        return nil
      }
      header.marker = bytes.byte(at: start &+ 1)
      header.end = start &+ 2
      guard isType(header.marker), bytes.byte(at: header.end) == UInt8(ascii: "#") else {
        composer.fail(.unexpected, isType(header.marker) ? header.end : start &+ 1)
        return nil
      }
    } else if bytes.byte(at: start) != UInt8(ascii: "#") {
      return header
    }
    header.end &+= 1
    let least = keyOctets &+ leastOctets(of: header.marker)
    if isLittleEndian, mayHaveDimensions, header.end < bytes.byteCount,
      bytes.byte(at: header.end) == 0x5B
    {
      guard dimensions(bytes, &header, offset, &composer) else { return nil }
    } else {
      guard let (count, end) = natural(bytes, header.end, offset, &composer) else { return nil }
      (header.count, header.end) = (count, end)
    }
    if composer.missing > 0 && (header.marker != 0 || !header.dimensions.isEmpty) {
      // Of an incomplete container of values without markers, nothing is shown.
      composer.fail(.incomplete, offset)
      return nil
    }
    let (needed, overflow) = (header.count ?? 0).multipliedReportingOverflow(by: least)
    guard !overflow, needed <= bytes.byteCount &- header.end &+ composer.missing,
      (header.count ?? 0) < Composer.endless / 2,
      // For values that take no bytes, the count is only limited to a sensible number.
      least > 0 || (header.count ?? 0) <= max(bytes.byteCount, 1 << 16)
    else {
      composer.fail(.overlong, offset)
      return nil
    }
    return header
  }

  /// Reads the dimensions of an array, which are an array of integers; several dimensions need
  /// fixed-size values.
  private func dimensions(
    _ bytes: RawSpan, _ header: inout Header, _ offset: Int, _ composer: inout Composer
  ) -> Bool {
    guard header.marker != 0, width(of: header.marker) > 0,
      let inner = self.header(
        bytes, header.end &+ 1, 0, mayHaveDimensions: false, offset, &composer)
    else {
      composer.fail(.unexpected, header.end)
      return false
    }
    var at = inner.end
    var product = 1
    while header.dimensions.count < inner.count ?? Self.maximumDimensions {
      if inner.count == nil, at < bytes.byteCount, bytes.byte(at: at) == 0x5D { break }
      let length: Int
      if inner.marker == 0 {
        guard let (value, end) = natural(bytes, at, offset, &composer) else { return false }
        (length, at) = (value, end)
      } else {
        let width = width(ofInteger: inner.marker)
        guard width > 0, width <= bytes.byteCount &- at else {
          composer.fail(width > 0 ? .incomplete : .unexpected, offset)
          return false
        }
        length = Int(integer(inner.marker, bytes, at))
        at &+= width
      }
      let (next, overflow) = product.multipliedReportingOverflow(by: length)
      guard length >= 0, !overflow, header.dimensions.count < Self.maximumDimensions else {
        composer.fail(length < 0 ? .unexpected : .overlong, offset)
        return false
      }
      product = next
      header.dimensions.append(length)
    }
    if inner.count == nil {
      guard at < bytes.byteCount, bytes.byte(at: at) == 0x5D else {
        composer.fail(at < bytes.byteCount ? .overlong : .incomplete, offset)
        return false
      }
      at &+= 1
    }
    if header.dimensions.isEmpty { product = 0 }
    (header.count, header.end) = (product, at)
    return true
  }

  /// Appends an array of several dimensions as nested arrays, the last dimension innermost. Values
  /// go through the composer, whose count is that of the whole array.
  private func append(
    _ header: Header, _ bytes: RawSpan, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) -> Int? {
    if header.count == 0 {
      return composer.open(isObject: false, 0, offset, &text) ? header.end : nil
    }
    let width = width(of: header.marker)
    // The current index in each dimension.
    var places: [Int] = []
    var at = header.end
    let outermost = composer.depth
    repeat {
      if places.count < header.dimensions.count {
        let length = header.dimensions[places.count]
        guard composer.open(isObject: false, length, offset, &text) else { return nil }
        places.append(length)
        continue
      }
      while composer.here.left > 0 {
        append(header.marker, bytes, at, offset, &composer, &text)
        at &+= width
      }
      if composer.isTooLarge(offset, text) { return nil }
      while composer.depth > outermost, composer.here.left == 0 {
        _ = composer.close(&text)
        places.removeLast()
      }
    } while composer.depth > outermost
    return at
  }

  private func isType(_ marker: UInt8) -> Bool {
    switch marker {
    case UInt8(ascii: "S"), UInt8(ascii: "C"), UInt8(ascii: "H"), 0x5B, 0x7B: true
    case UInt8(ascii: "Z"), UInt8(ascii: "T"), UInt8(ascii: "F"): true
    default: width(of: marker) > 0
    }
  }

  /// The least number of bytes of a value with this marker, or with an unknown one (0).
  private func leastOctets(of marker: UInt8) -> Int {
    switch marker {
    case UInt8(ascii: "Z"), UInt8(ascii: "T"), UInt8(ascii: "F"): 0
    case UInt8(ascii: "S"), UInt8(ascii: "H"): 2
    default: max(1, width(of: marker))
    }
  }
}
