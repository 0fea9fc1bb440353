// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Reads frames from this program's own machine output.
struct STOMPTranscript {
  private var scanner: JSONScanner
  /// The bytes that the frame's ranges refer to.
  private(set) var bytes = Scratch()

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  /// `{"command":`
  static func mayBegin(_ text: RawSpan) -> Bool { text.starts(with: #"{"command":"#) }

  /// - Returns: whether the text is such JSON.
  mutating func read(_ json: RawSpan, into frame: inout STOMPFrame) -> Bool {
    guard Self.mayBegin(json), scanner.scan(json) == json.byteCount else { return false }
    let all = ByteRange(0, json.byteCount)
    guard let command = JSON.value(of: "command", in: all, json), command.kind == .string,
      let headers = JSON.value(of: "headers", in: all, json), headers.kind == .array,
      let body = JSON.value(of: "body", in: all, json)
    else { return false }
    bytes.removeAll()
    frame = STOMPFrame()
    frame.isDecoded = true
    frame.line = append(json[command.content])
    frame.command = STOMPCommand(bytes.bytes[frame.line])
    var elements = JSON.Members(ofArray: headers.range)
    while let pair = elements.next(json) {
      guard let (name, value) = JSON.pair(pair.value.range, json) else { return false }
      let named = append(json[name.content])
      let kind = STOMPHeader(bytes.bytes[named])
      frame.append(
        STOMPFrame.Header(kind: kind, name: named, value: append(json[value.content])))
    }
    frame.lacksBody = body.kind == .null
    frame.lacksHeaders = JSON.value(of: "isPartial", in: all, json) != nil
    if body.kind == .string {
      frame.body = append(json[body.content])
    } else if let base64 = JSON.value(of: "base64", in: body.range, json) {
      let start = bytes.count
      _ = Base64.decode(json[base64.content], into: &bytes)
      frame.body = ByteRange(start, bytes.count)
    }
    frame.range = ByteRange(0, bytes.count)
    return true
  }

  private mutating func append(_ content: RawSpan) -> ByteRange {
    let start = bytes.count
    if content.firstIndex(of: .backslash) == nil {
      bytes.append(content)
    } else {
      bytes.append(JSON.unescaped(content).span.bytes)
    }
    return ByteRange(start, bytes.count)
  }
}
