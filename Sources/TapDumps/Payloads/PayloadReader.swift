// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Puts the lines below each head together to a payload, and takes what it is out of the layout
/// that the program was asked for.
struct PayloadReader {
  private enum Layout {
    /// A character for each byte; line feeds are ends of lines, or dots.
    case text
    /// The same in rows of a width, behind two blanks, the last filled up with blanks.
    case rows
    case digits
  }

  private let tool: PayloadHead.Tool
  private let place: Place
  private let limits: Limits
  private var clock = DumpClock()
  /// Nil before the first packet, and for what is none of TCP.
  private var head: PayloadHead?
  private var origin = Origin()
  private var text: [UInt8] = []
  private var layout: Layout?
  private var packets: UInt64 = 0
  private var conversations: PrintedConversations
  private var streams: PayloadStreams

  init(_ tool: PayloadHead.Tool, _ place: Place, _ limits: Limits) {
    (self.tool, self.place, self.limits) = (tool, place, limits)
    conversations = PrintedConversations(
      place, limits, title: tool == .ngrep ? "ngrep" : "tcpflow -c")
    streams = PayloadStreams(limits, writer: tool == .ngrep ? "ngrep -x" : "tcpflow -D")
  }

  /// - Parameters:
  ///   - line: without its line feed.
  ///   - offset: of the line.
  mutating func take(_ line: ArraySlice<UInt8>, at offset: UInt64, _ sink: any EvidenceSink) {
    let next = PayloadHead(line, of: tool)
    if next != nil {
      endPacket(sink)
      packets += 1
      origin = place.origin(offset, record: packets)
      if let time = next?.time {
        origin.time = clock.read(time.instant, time.certainty, place, sink)
        origin.precision = time.precision
      }
      head = next?.isTCP == true ? next : nil
    }
    guard let head, text.count < limits.packetBytes else { return }
    let payload = next == nil ? line : line.dropFirst(head.count)
    // ngrep begins a line of its own for all but the shortest of its forms.
    if next != nil && payload.isEmpty && tool == .ngrep { return }
    text += payload
    text.append(.lineFeed)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    dropEnd()
    endPacket(sink)
    streams.finish(sink)
    let printed = conversations.finish(sink)
    var words = tool == .ngrep ? "ngrep" : "tcpflow"
    if case .digits = layout { words += tool == .ngrep ? " -x" : " -D" }
    words += ", \(counted(packets, "packet"))"
    if printed.messages > 0 { words += ", \(counted(printed.messages, "message"))" }
    if printed.unread > 0 { words += "; \(counted(printed.unread, "byte")) cannot be read" }
    sink.recognised(InputVerdict(words), place.origin(0))
  }

  /// What ngrep says at its end.
  private mutating func dropEnd() {
    guard tool == .ngrep else { return }
    var lines = text.split(separator: .lineFeed, omittingEmptySubsequences: false).dropLast()
    if lines.last?.last == UInt8(ascii: "d"), lines.last?.first?.isDigit == true,
      lines.last?.firstRange(of: Array(" received, ".utf8)) != nil
    {
      lines.removeLast()
    }
    if lines.last?.drop(while: { $0 == UInt8(ascii: "#") }).elementsEqual("exit".utf8) == true {
      lines.removeLast()
      text = Array((lines + [[]]).joined(separator: [.lineFeed])) + [.lineFeed]
    }
  }

  /// The packet is whole.
  private mutating func endPacket(_ sink: any EvidenceSink) {
    defer { text.removeAll(keepingCapacity: text.capacity < 1 << 20) }
    guard let head = self.head else { return }
    self.head = nil
    if text.last == .lineFeed { text.removeLast() }
    if tool == .ngrep {
      // An empty line stands before each head, with `#` for each packet that it saw.
      let last = text.lastIndex(of: .lineFeed).map { text[($0 + 1)...] } ?? text[...]
      if last.allSatisfy({ $0 == UInt8(ascii: "#") }) {
        text.removeLast(min(last.count + 1, text.count))
      }
    }
    if text.isEmpty { return }
    let layout = self.layout ?? Self.layout(of: text, tool)
    self.layout = layout
    switch layout {
    case .text:
      conversations.receive(head, PayloadText.lines(text), text.count, origin, sink)
    case .rows:
      let bytes = PayloadText.unwrapped(text)
      conversations.receive(head, PayloadText.lines(bytes), bytes.count, origin, sink)
    case .digits:
      streams.receive(head, PayloadDigits.read(text, tool), origin, sink)
    }
  }

  private static func layout(of text: [UInt8], _ tool: PayloadHead.Tool) -> Layout {
    let digits = PayloadDigits.read(text, tool)
    if !digits.isEmpty && digits.allSatisfy({ $0 != nil }) { return .digits }
    let rows = text.split(separator: .lineFeed, omittingEmptySubsequences: false)
    let areRows = rows.allSatisfy {
      $0.starts(with: [.space, .space]) && $0.count == rows[0].count
    }
    return tool == .ngrep && areRows ? .rows : .text
  }
}
