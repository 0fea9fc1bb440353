// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The binary messages of Jupyter. Those of `v1.kernel.websocket.jupyter.org`: the number of
/// offsets; the offsets, each of 8 bytes, little-endian; and the parts that begin there. The last
/// offset is the end. Without that subprotocol, only messages with buffers are binary: the number
/// of offsets, and the offsets, each of 4 bytes, big-endian; the message as JSON, and the buffers.
enum JupyterParts {
  /// The names of the JSON parts, after the channel.
  private static let names: [StaticString] = ["header", "parent_header", "metadata", "content"]
  private static let mostOffsets = 1024

  /// Appends the JSON object that is the text form of the message; false when the bytes are not
  /// such a message.
  static func append(
    _ bytes: RawSpan, _: Direction, _ scanner: inout JSONScanner, _ text: inout Scratch
  ) -> Bool {
    appendWithBuffers(bytes, &scanner, &text) || appendV1(bytes, &scanner, &text)
  }

  private static func appendWithBuffers(
    _ bytes: RawSpan, _ scanner: inout JSONScanner, _ text: inout Scratch
  ) -> Bool {
    guard bytes.byteCount >= 4, case let count = Int(bytes.uint32(at: 0)),
      2...mostOffsets ~= count, (count + 1) * 4 <= bytes.byteCount
    else { return false }
    var borders: [Int] = []
    for index in 1...count {
      let start = Int(bytes.uint32(at: index * 4))
      guard start >= borders.last ?? 0, start <= bytes.byteCount else { return false }
      borders.append(start)
    }
    guard borders[0] == (count + 1) * 4 else { return false }
    borders.append(bytes.byteCount)
    let message = bytes.extracting(borders[0]..<borders[1])
    guard isObject(message, &scanner), !scanner.members.isEmpty else { return false }
    for index in 0..<scanner.members.count
    where message[scanner.members[index].key].equals("buffers") { return false }
    text.append(message.extracting(0..<scanner.elements[0].range.end - 1))
    appendBuffers(borders[1...], to: &text)
    return true
  }

  private static func appendV1(
    _ bytes: RawSpan, _ scanner: inout JSONScanner, _ text: inout Scratch
  ) -> Bool {
    guard let count = offset(0, bytes), names.count + 2...mostOffsets ~= count else {
      return false
    }
    var starts: [Int] = []
    for index in 0..<count {
      guard let start = offset(index + 1, bytes), start >= starts.last ?? (count + 1) * 8
      else { return false }
      starts.append(start)
    }
    guard starts.last == bytes.byteCount else { return false }
    let channel = bytes.extracting(starts[0]..<starts[1])
    let isWord = (0..<channel.byteCount).allSatisfy { channel.byte(at: $0).isAlpha }
    guard isWord, !channel.isEmpty else { return false }
    text.append(#"{"channel":""#)
    text.append(channel)
    text.append("\"")
    for (index, name) in names.enumerated() {
      let part = bytes.extracting(starts[index + 1]..<starts[index + 2])
      // Each part must be a complete object, as otherwise the joined text could mean something
      // else.
      guard isObject(part, &scanner) else { return false }
      text.append(",\"")
      text.append(name)
      text.append("\":")
      text.append(part)
    }
    appendBuffers(starts[(names.count + 1)...], to: &text)
    return true
  }

  private static func isObject(_ part: RawSpan, _ scanner: inout JSONScanner) -> Bool {
    scanner.scan(part) == part.byteCount && scanner.isStrict && !scanner.isArray
      && !scanner.elements.isEmpty && scanner.elements[0].kind == .object
  }

  /// Nil when there is no such offset.
  private static func offset(_ index: Int, _ bytes: RawSpan) -> Int? {
    let at = index * 8
    guard at + 8 <= bytes.byteCount else { return nil }
    return Int(exactly: bytes.word(at: at)).flatMap { $0 <= bytes.byteCount ? $0 : nil }
  }

  /// The sizes of the binary buffers.
  private static func appendBuffers(_ borders: ArraySlice<Int>, to text: inout Scratch) {
    text.append(#","buffers":["#)
    for (index, (start, end)) in zip(borders, borders.dropFirst()).enumerated() {
      text.append("\(index > 0 ? "," : "")\"<\(end - start) bytes>\"")
    }
    text.append("]}")
  }
}
