// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The line of a connection: who with whom, where, what was agreed on.
enum OpeningText {
  /// - Parameters:
  ///   - showsSuite: the cipher suite too, where it is encrypted.
  ///   - input: the name of what it was read from, if there are several: one of a log has no other.
  static func append(
    _ opening: Opening, _ connection: UInt32, showsSuite: Bool, input: String = "",
    _ text: inout TextBuffer
  ) {
    text.append("#")
    text.append(decimal: UInt64(connection))
    if opening.client.isKnown {
      text.append("  ")
      opening.client.append(to: &text)
      text.append(" → ")
      opening.server.append(to: &text)
    }
    if opening.carrier == .rawSocket { text.append("  RawSocket") }
    let file = opening.provenance.writer.isEmpty ? [] : Array(input.utf8)
    let fields =
      [opening.provenance.writer, file, opening.url, opening.subprotocol] + opening.extensions
    for field in fields where !field.isEmpty {
      text.append("  ")
      text.append(escaping: field.span.bytes)
    }
    if let security = opening.security {
      text.append("  ")
      text.append(escaping: security.version)
      if showsSuite && !security.cipherSuite.isEmpty {
        text.append(" ")
        text.append(escaping: security.cipherSuite)
      }
    }
    if !opening.isFromStart && opening.provenance.writer.isEmpty {
      text.append(
        opening.carrier == .http
          ? "  (beginning not captured)" : "  (handshake not captured whole)")
    }
  }
}
