// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Messages of which only the beginning is there.
extension Transcoder {
  /// More bytes than any message can lack.
  private static let many = 1 << 40

  /// Appends the text of a value as far as its bytes go, with `…` at their end, and closes open
  /// containers. False, with nothing appended, when they are not the beginning of a value.
  public mutating func transcode(
    beginning bytes: RawSpan, _ serializer: Serializer, into text: inout TextBuffer
  ) -> Bool {
    composer.beginMessage()
    composer.beginValue(text)
    composer.missing = Self.many
    defer {
      composer.missing = 0
      composer.pieces.removeAll()
    }
    let before = text.count
    let isWhole = compose(bytes, serializer, 0, &text) != nil
    guard !isWhole, let fault, fault.problem == .incomplete,
      composer.close(bytes.extracting(string(bytes, serializer, fault.offset)), &text)
    else {
      text.truncate(before)
      return false
    }
    return true
  }

  /// The range of an incomplete string's characters; empty for another incomplete value.
  private func string(_ bytes: RawSpan, _ serializer: Serializer, _ start: Int) -> Range<Int> {
    // Values with a shared marker have no marker of their own.
    if composer.here.marker != 0 || composer.expectsKey { return 0..<0 }
    let content: Int? =
      switch serializer {
      case .messagePack: MessagePack.content(ofText: bytes, start)
      case .cbor: CBOR.content(ofText: bytes, start)
      case .ubjson: UBJSON(isLittleEndian: false).content(ofText: bytes, start)
      case .bjdata: UBJSON(isLittleEndian: true).content(ofText: bytes, start)
      }
    let count = bytes.byteCount
    guard let content, content < count else { return 0..<0 }
    guard let invalid = UTF8.firstInvalid(in: bytes, from: content) else { return content..<count }
    // The last character may be incomplete.
    return count - invalid < 4 ? content..<invalid : 0..<0
  }
}

extension Composer {
  /// Closes open containers where the bytes end. False when an incomplete key is more than a
  /// string.
  ///
  /// - Parameter string: the beginning of the incomplete string.
  mutating func close(_ string: RawSpan, _ text: inout TextBuffer) -> Bool {
    if expectsKey {
      text.append("\"…\":\"…\"")
    } else {
      _ = JSONString.append(string, to: &text)
      text.truncate(text.count &- 1)
      text.append("…\"")
    }
    while let around = outer.pop() {
      if here.isKey { return false }
      text.append(byte: here.isObject ? 0x7D : 0x5D)
      here = around
    }
    return true
  }
}
