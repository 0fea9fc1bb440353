// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

extension Finding.Code {
  /// An export stops making sense. Likely cause: damage in transfer, or an editor.
  static let exportDamaged: Finding.Code = "export.damaged"
  /// An export ends before what it announces. Likely cause: the program that writes it was killed,
  /// or the copy is incomplete.
  static let exportTruncated: Finding.Code = "export.truncated"
  /// A message of an export does not say what is needed to read it. Likely cause: an edited file,
  /// or a version of the program that is not known here.
  static let exportBadMessage: Finding.Code = "export.bad-message"
  /// The browser or proxy that wrote an export noted an error of the connection.
  static let exportConnectionError: Finding.Code = "export.connection-error"
  /// A server did not agree to speak WebSocket (RFC 6455 §4.2.2), as an export has it.
  static let exportRefused: Finding.Code = "export.upgrade-refused"
  /// A message of an export is larger than `Limits.messageBytes`.
  static let exportMessageTooLarge: Finding.Code = "export.message-too-large"
}

extension JSONStream {
  /// Says how the text ended, unless it ended well.
  ///
  /// - Parameters:
  ///   - what: it is called.
  ///   - usual: how many objects and arrays may be open at the end because the program that writes
  ///     it is often killed.
  func tellEnd(_ what: String, _ place: Place, usual: Int? = nil, _ sink: any EvidenceSink) {
    if let damage {
      let rest = unread > 0 ? "; \(counted(unread, "byte")) behind it are not read" : ""
      sink.finding(
        Finding(
          .exportDamaged, .warning, place.origin(damage.offset),
          "the \(what) stops making sense at \(place.byte(damage.offset)):"
            + " \(damage.reason)\(rest)"
        ).cutting)
    } else if !isWhole {
      let isUsual = usual != nil && restsAt == usual
      sink.finding(
        Finding(
          .exportTruncated, isUsual ? .note : .warning, place.origin(offset),
          "the \(what) ends at \(place.byte(offset)), before its closing brackets;"
            + (isUsual ? " nothing of it is missing before that" : " what is whole of it is read")
        ).cutting)
    }
  }
}
