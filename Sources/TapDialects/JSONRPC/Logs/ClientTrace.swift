// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The trace of an LSP client, as vscode-jsonrpc writes it for `"trace.server": "verbose"`, and
/// gopls with `-rpc.trace`: one line names the message, and the next has its parameters or its
/// result. If the trace has no result, it is shown as `…`.
///
///     [Trace - 9:32:36 PM] Sending request 'textDocument/hover - (1)'.
///     Params: {"position": {"line": 1, "character": 5}}
struct ClientTrace: NarratedLog {
  /// A message whose content is still to come.
  private struct Pending {
    var head: ClientTraceHead
    var origin: Origin
    var content: [UInt8] = []
    /// The number of open brackets in the content.
    var depth = 0
  }

  /// The limit of a content over several lines, in bytes.
  private static let longest = 1 << 20

  private(set) var isKnown = false
  private var pending: Pending?
  private var scanner: JSONScanner

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  var waiting: Origin? { pending?.origin }

  func mayTell(_ line: RawSpan) -> Bool { ClientTraceHead.mayBegin(line) }

  mutating func look(at line: RawSpan) -> Bool {
    guard ClientTraceHead(line) != nil else { return false }
    isKnown = true
    return true
  }

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ told: inout ContiguousArray<Narration>
  ) -> Bool {
    if let head = ClientTraceHead(line) {
      settle(&told)
      pending = Pending(head: head, origin: origin)
      return true
    }
    guard let waiting = pending else { return false }
    guard let margin = waiting.head.margin.end(in: line) else {
      settle(&told)
      return false
    }
    let line = line.dropping(margin)
    if waiting.depth > 0 {
      guard Self.goesOn(line) else {
        settle(&told)
        return false
      }
      take(line, &told)
      return true
    }
    for words in Self.contents where line.starts(with: words) {
      take(line.dropping(words.utf8CodeUnitCount), &told)
      return true
    }
    if line.starts(with: "No result returned.") { pending!.content = Array("null".utf8) }
    settle(&told)
    return false
  }

  private static let contents: [StaticString] = ["Params: ", "Result: ", "Error data: "]

  /// Whether a line may continue a content: its members are indented, and brackets close it.
  private static func goesOn(_ line: RawSpan) -> Bool {
    guard line.byteCount > 0 else { return false }
    let first = line.byte(at: 0)
    return first.isWSP || first == .closeBrace || first == .closeBracket
  }

  /// Adds a line to the content, which ends with its last bracket.
  private mutating func take(_ line: RawSpan, _ told: inout ContiguousArray<Narration>) {
    if !pending!.content.isEmpty { pending!.content.append(.lineFeed) }
    pending!.content += line.copied()
    pending!.depth += Self.brackets(line)
    if pending!.depth <= 0 || pending!.content.count > Self.longest { settle(&told) }
  }

  /// Opened minus closed brackets on a line. Strings do not continue on the next line.
  private static func brackets(_ line: RawSpan) -> Int {
    var (depth, at) = (0, 0)
    var isInString = false
    while at < line.byteCount {
      switch line.byte(at: at) {
      case .backslash: at += 1
      case .quote: isInString.toggle()
      case .openBrace, .openBracket: if !isInString { depth += 1 }
      case .closeBrace, .closeBracket: if !isInString { depth -= 1 }
      default: break
      }
      at += 1
    }
    return depth
  }

  mutating func settle(_ told: inout ContiguousArray<Narration>) {
    guard let message = pending.take() else { return }
    var content = message.content
    // It is longer than is kept, or not JSON.
    if !content.isEmpty && scanner.scan(content.span.bytes) != content.count {
      content = content.allSatisfy { $0 <= 0x20 } ? [] : message.head.unread
    }
    var text = TextBuffer(capacity: 256)
    message.head.write(content.span.bytes, to: &text)
    var origin = message.origin
    origin.direction = message.head.direction
    told.append(
      Narration(
        program: "a language client", dialect: "jsonrpc", connection: "",
        begins: message.head.begins, origin: origin, event: .message(text.bytes.copied())))
  }
}
