// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What Emacs names between an arrow and the message, in the buffer of events that its library
/// jsonrpc.el keeps of each server: `[jsonrpc] e[23:34:50.250] --> textDocument/hover[2] {…`. It is
/// the method, also before the answer, and the id; arrows point at the server.
enum EmacsEvents {
  private static let arrows: [(text: StaticString, direction: LogDirection)] = [
    ("] --> ", .sent), ("] <-- ", .received),
  ]

  /// Who sends; nil for other lines.
  ///
  /// - Parameter prefix: what is before the message.
  static func direction(_ prefix: RawSpan) -> LogDirection? {
    let end = prefix.beforeBlanks(prefix.byteCount)
    let name = prefix.before(end) { $0 > 0x20 }
    guard name < end, name > 8,
      let arrow = arrows.first(where: { prefix.extracting(name - 6..<name).equals($0.text) })
    else { return nil }
    let time = prefix.before(name - 6) { $0.isDigit || $0 == .colon || $0 == .period }
    guard time < name - 6, time > 1, prefix.extracting(time - 2..<time).equals("e[") else {
      return nil
    }
    return arrow.direction
  }
}
