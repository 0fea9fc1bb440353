// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Checks single frames, whatever came before.
struct STOMPMessageRules {
  func judge(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ fault: (STOMPText.Fault, header: ByteRange)?,
    _ version: STOMPVersion, _ origin: Origin, _ listener: any Listener
  ) {
    func report(_ code: Finding.Code, _ severity: Finding.Severity, _ text: String) {
      listener.remark(code, severity, origin, text)
    }
    if !frame.faults.isEmpty || !frame.withoutColon.isEmpty || frame.command == nil {
      judgeForm(frame, bytes, version, isPasted: origin.direction == .unknown, report)
    }
    if let fault { judge(fault, frame, bytes, version, report) }
    guard let command = frame.command else { return }
    if origin.direction != .unknown && origin.direction != command.direction {
      let (sent, due) = command.direction == .toServer ? ("server", "client") : ("client", "server")
      report(
        .stompWrongDirection, .error, "\(command.name) comes from the \(sent); a \(due) sends it")
    }
    if !frame.body.isEmpty && !command.mayHaveBody {
      report(
        .stompBodyNotAllowed, version == .v10 ? .note : .error,
        "\(command.name) has a body of \(counted(frame.body.count, "byte")); only SEND, MESSAGE and"
          + " ERROR may have one")
    }
    if frame.mayRepeat || frame.hasOddHeaders {
      judgeHeaders(frame, bytes, version, command, report)
    }
    let required = Self.required(command, version)
    if !frame.lacksHeaders && !frame.has(all: required) {
      judgeMissing(required, frame, version, command, report)
    }
  }

  private func judgeMissing(
    _ required: STOMPHeaders, _ frame: STOMPFrame, _ version: STOMPVersion,
    _ command: STOMPCommand, _ report: Report
  ) {
    for name in STOMPHeader.allCases where required.contains(name) && !frame.has(name) {
      if command == .unsubscribe && version == .v10 && frame.has(.destination) { continue }
      let isACK = name == .id && frame.has(.messageID)
      let hint = isACK ? "; message-id was its name in 1.0 and 1.1" : ""
      report(
        isACK || command == .ack || command == .nack ? .stompACKForm : .stompHeaderMissing, .error,
        "\(command.name) needs the header \(name.name) in STOMP \(version.name)\(hint)")
    }
  }

  private typealias Report = (Finding.Code, Finding.Severity, String) -> Void

  private func judgeForm(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion, isPasted: Bool, _ report: Report
  ) {
    let name = Self.text(bytes[frame.line])
    if frame.command == nil {
      let upper = bytes[frame.line].copied().filter { $0 > 0x20 }.map {
        $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0
      }
      let meant = STOMPCommand(upper.span.bytes).map {
        "; \($0.name) was probably meant: case counts, and no blank may stand beside it"
      }
      report(.stompUnknownCommand, .error, "\(name) is no command of STOMP\(meant ?? "")")
    }
    // Pasted text loses the NUL.
    if frame.faults.contains(.nulMissing) && !isPasted {
      report(
        .stompNULMissing, .error,
        "\(name) has no NUL byte at its end: the server waits for it, and does nothing until it"
          + " comes. Add \"\\0\" behind the body")
    }
    if frame.faults.contains(.blankLineMissing) && !frame.faults.contains(.nulMissing) {
      report(.stompBlankLineMissing, .error, "no blank line stands between the headers and the NUL")
    }
    let length = frame.first(.contentLength).map { Self.text(bytes[$0.value]) } ?? ""
    let count = counted(frame.body.count, "byte")
    if frame.faults.contains(.charactersCounted) {
      report(
        .stompCharactersCounted, .error,
        "content-length is \(length), the number of characters; the body has \(count)")
    }
    if frame.faults.contains(.lengthWrong) {
      report(.stompLengthWrong, .error, "content-length is \(length); the body has \(count)")
    }
    if frame.faults.contains(.hasCarriageReturn) && version != .v12
      && frame.command?.isNeverEscaped != true
    {
      report(
        .stompCarriageReturn, .warning,
        "lines end with CR LF; in STOMP \(version.name) the CR is a part of the value")
    }
    if frame.faults.contains(.hasMoreHeaders) {
      report(
        .stompHeaderLimit, .warning,
        "it has more than \(frame.headers.count) headers; the others are not shown")
    }
    // Where a blank line ends the headers, the line may as well be the rest of a value.
    let hint =
      frame.faults.contains(.blankLineMissing)
      ? "a blank line is probably missing before the body"
      : "a value has a line end in it, or a blank line is missing before the body"
    for line in frame.withoutColon.prefix(3) {
      let shown =
        frame.mayBeSecret(line, bytes)
        ? "a header line of \(counted(line.range.count, "byte"))"
        : "the header line '\(Self.text(bytes[line.range]))'"
      report(.stompNoColon, .error, "\(shown) has no colon; \(hint)")
    }
  }

  private func judge(
    _ fault: (STOMPText.Fault, header: ByteRange), _ frame: STOMPFrame, _ bytes: RawSpan,
    _ version: STOMPVersion, _ report: Report
  ) {
    let header = frame.headers.first { $0.value == fault.header || $0.name == fault.header }
    let name = header.map { "the header \(Self.quoted(bytes[$0.name]))" } ?? "the command"
    switch fault.0 {
    case .notUTF8: report(.stompNotUTF8, .error, "\(name) is no UTF-8")
    case .undefinedEscape(let byte):
      let letter = byte > 0x20 && byte < 0x7F ? "\\\(UnicodeScalar(byte))" : "a backslash"
      report(
        .stompEscapeUndefined, .error,
        "\(name) has \(letter), which STOMP \(version.name) does not define: a backslash"
          + " itself is written \\\\")
    }
  }

  private func judgeHeaders(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion, _ command: STOMPCommand,
    _ report: Report
  ) {
    for index in frame.headers.indices {
      let header = frame.headers[index]
      let value = bytes[header.value]
      if header.kind == .other {
        judgeCase(bytes[header.name], command, report)
      } else if value.isEmpty && header.kind.mustNameSomething {
        report(.stompHeaderEmpty, .warning, "the header \(header.kind.name) is empty")
      }
      if frame.mayRepeat && isRepeated(frame, index, bytes) {
        report(
          .stompHeaderRepeated, header.kind == .other ? .note : .warning,
          "the header \(Self.quoted(bytes[header.name])) is there again with another value; the"
            + " first one counts")
      }
      if version == .v10 || value.isEmpty || frame.isDecoded { continue }
      if value.byte(at: 0) == .space || value.byte(at: value.byteCount - 1) == .space {
        report(
          .stompHeaderPadded, .warning,
          "the value of \(Self.quoted(bytes[header.name])) begins or ends with a blank, which"
            + " belongs to it")
      }
      if command.isNeverEscaped {
        if header.hasBackslash && header.kind != .passcode && Self.hasEscape(value) {
          report(
            .stompEscapeInCONNECT, .note,
            "the header \(Self.quoted(bytes[header.name])) has a backslash; \(command.name) is not"
              + " escaped, so it is read as it stands")
        }
      } else if header.hasColon {
        report(
          .stompEscapeMissing, .note,
          "the value of \(Self.quoted(bytes[header.name])) has a colon, which is written \\c")
      }
    }
  }

  private func judgeCase(_ name: RawSpan, _ command: STOMPCommand, _ report: Report) {
    guard name.byteCount < 17 else { return }
    let lower = name.copied().map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    let kind = STOMPHeader(lower.span.bytes)
    // Elsewhere it is a header of the application.
    guard Self.meant(command).contains(kind) else { return }
    report(
      .stompHeaderCase, .warning,
      "the header \(Self.quoted(name)) has no effect: case counts, and its name is \(kind.name)")
  }

  /// Whether an earlier header has the same name and another value.
  private func isRepeated(_ frame: STOMPFrame, _ index: Int, _ bytes: RawSpan) -> Bool {
    let header = frame.headers[index]
    if header.kind != .other {
      guard let first = frame.first(header.kind), first.name != header.name else { return false }
      return !bytes[first.value].equals(bytes[header.value])
    }
    guard index > 0, index < 64 else { return false }
    for before in frame.headers[..<index]
    where before.kind == .other && bytes[before.name].equals(bytes[header.name]) {
      return !bytes[before.value].equals(bytes[header.value])
    }
    return false
  }

  private static func hasEscape(_ value: RawSpan) -> Bool {
    guard let at = value.firstIndex(of: UInt8(ascii: "\\")), at + 1 < value.byteCount else {
      return false
    }
    return [UInt8(ascii: "c"), UInt8(ascii: "n"), UInt8(ascii: "\\")].contains(
      value.byte(at: at + 1))
  }

  /// The headers that mean something in a frame, to the protocol or to brokers.
  private static func meant(_ command: STOMPCommand) -> STOMPHeaders {
    switch command {
    case .connect, .stomp: [.acceptVersion, .host, .login, .passcode, .heartBeat]
    case .connected: [.version, .server, .session, .heartBeat, .userName]
    case .send:
      [
        .destination, .transaction, .receipt, .replyTo, .correlationID, .contentLength,
        .contentType,
      ]
    case .subscribe:
      [
        .id, .destination, .ack, .receipt, .selector, .prefetchCount, .durable, .subscriptionName,
        .durableSubscriptionName, .durableSubscriberName,
      ]
    case .unsubscribe:
      [
        .id, .destination, .receipt, .durable, .subscriptionName, .durableSubscriptionName,
        .durableSubscriberName,
      ]
    case .ack, .nack: [.id, .messageID, .subscription, .transaction, .receipt]
    case .begin, .commit, .abort: [.transaction, .receipt]
    case .disconnect: [.receipt]
    case .message:
      [
        .destination, .messageID, .subscription, .ack, .redelivered, .replyTo, .correlationID,
        .contentLength, .contentType,
      ]
    case .receipt: [.receiptID]
    case .error: [.version, .message, .receiptID, .contentLength, .contentType]
    }
  }

  /// The headers that a frame must have (STOMP 1.2, "Frames and Headers").
  private static func required(
    _ command: STOMPCommand, _ version: STOMPVersion
  ) -> STOMPHeaders {
    switch command {
    case .send: [.destination]
    case .subscribe: version == .v10 ? [.destination] : [.destination, .id]
    // In 1.0, a destination suffices.
    case .unsubscribe: [.id]
    case .ack, .nack:
      switch version {
      case .v10: [.messageID]
      case .v11: [.messageID, .subscription]
      case .v12: [.id]
      }
    case .begin, .commit, .abort: [.transaction]
    case .message:
      version == .v10
        ? [.destination, .messageID] : [.destination, .messageID, .subscription]
    case .receipt: [.receiptID]
    case .connect, .stomp, .connected, .disconnect, .error: []
    }
  }

  /// A name, in quotes: without them, “token” and the word behind it read like a credential.
  private static func quoted(_ name: RawSpan) -> String { "“\(text(name))”" }

  /// At most 64 bytes of it.
  static func text(_ bytes: RawSpan) -> String {
    let isLong = bytes.byteCount > 64
    let shown = isLong ? bytes.extracting(0..<64) : bytes
    return String(decoding: shown.copied(), as: Unicode.UTF8.self) + (isLong ? "…" : "")
  }
}
