// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// Terms of Erlang, `#{<<"a">> => 1}`, and of Elixir, `%{"a" => 1}`.
extension LiteralReader {
  /// A map or a binary; answers the offset behind it, nil where there is none.
  mutating func term(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    guard start + 1 < bytes.byteCount else { return nil }
    switch (bytes.byte(at: start), bytes.byte(at: start + 1)) {
    case (UInt8(ascii: "#"), .openBrace), (UInt8(ascii: "%"), .openBrace):
      return object(bytes, start + 1, depth: depth)
    default: return binary(bytes, start)
    }
  }

  /// `<<"text">>`, `<<"text"/utf8>>`, or its bytes where not all are printed as characters:
  /// `<<230,151,165>>`.
  mutating func binary(_ bytes: RawSpan, _ start: Int) -> Int? {
    let rest = bytes.dropping(start)
    guard rest.starts(with: "<<") else { return nil }
    if !rest.starts(with: "<<\"") { return octets(bytes, start + 2) }
    let begin = json.count
    guard let end = strings(bytes, start + 2) else { return nil }
    for close in [">>", "/utf8>>"] as [StaticString] where bytes.dropping(end).starts(with: close) {
      return end + close.utf8CodeUnitCount
    }
    json.truncate(begin)
    return nil
  }

  private mutating func octets(_ bytes: RawSpan, _ start: Int) -> Int? {
    var content = Scratch()
    var at = bytes.behindSpace(start)
    while at < bytes.byteCount, bytes.byte(at: at).isDigit {
      var digits = DigitReader(bytes.extracting(at..<min(at + 4, bytes.byteCount)))
      guard let (value, count) = digits.number(most: 3), let octet = UInt8(exactly: value) else {
        return nil
      }
      content.append(octet)
      at = bytes.behindSpace(at + count)
      guard at < bytes.byteCount, bytes.byte(at: at) == .comma else { break }
      at = bytes.behindSpace(at + 1)
    }
    guard bytes.dropping(at).starts(with: ">>") else { return nil }
    if UTF8.firstInvalid(in: content.bytes) == nil {
      json.append(LiteralString.quoted(content.bytes).span.bytes)
    } else {
      json.append("\"\\u0000")
      json.append(Base64.encoded(content.bytes).span.bytes)
      json.append(.quote)
    }
    return at + 2
  }
}
