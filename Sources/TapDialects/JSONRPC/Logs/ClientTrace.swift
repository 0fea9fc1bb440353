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
    var content = NarratedValue()
  }

  private(set) var isKnown = false
  private var pending: Pending?
  private var scanner: JSONScanner

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  var waiting: Origin? { pending?.origin }

  func mayReport(_ line: RawSpan) -> Bool { ClientTraceHead.mayBegin(line) }

  mutating func look(at line: RawSpan) -> Bool {
    guard ClientTraceHead(line) != nil else { return false }
    isKnown = true
    return true
  }

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    if let head = ClientTraceHead(line) {
      settle(&narrations)
      pending = Pending(head: head, origin: origin)
      return true
    }
    guard let waiting = pending else { return false }
    guard let margin = waiting.head.margin.end(in: line) else {
      settle(&narrations)
      return false
    }
    let line = line.dropping(margin)
    if waiting.content.isOpen {
      guard NarratedValue.goesOn(line) else {
        settle(&narrations)
        return false
      }
      take(line, &narrations)
      return true
    }
    for words in Self.contents where line.starts(with: words) {
      take(line.dropping(words.utf8CodeUnitCount), &narrations)
      return true
    }
    if line.starts(with: "No result returned.") { pending!.content = NarratedValue("null") }
    settle(&narrations)
    return false
  }

  private static let contents: [StaticString] = ["Params: ", "Result: ", "Error data: "]

  /// Adds a line to the content, which ends with its last bracket.
  private mutating func take(_ line: RawSpan, _ narrations: inout ContiguousArray<Narration>) {
    pending!.content.take(line)
    if !pending!.content.isOpen { settle(&narrations) }
  }

  mutating func settle(_ narrations: inout ContiguousArray<Narration>) {
    guard let message = pending.take() else { return }
    var content = message.content.bytes
    // It is longer than is kept, or not JSON.
    if !content.isEmpty && scanner.scan(content.span.bytes) != content.count {
      content = content.allSatisfy { $0 <= 0x20 } ? [] : message.head.unread
    }
    var text = TextBuffer(capacity: 256)
    message.head.write(content.span.bytes, to: &text)
    var origin = message.origin
    origin.direction = message.head.direction
    narrations.append(
      Narration(
        program: "a language client", dialect: "jsonrpc", connection: "",
        begins: message.head.begins, origin: origin, event: .message(text.bytes.copied())))
  }
}
