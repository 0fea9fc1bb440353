// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Messages that are not plain JSON.
extension WAMPLayer {
  @inline(never)
  mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ decoding: Cell<WAMPDecoding>,
    _ listener: any Listener
  ) {
    if isTranscoded && delivery.kind != .binary { return read(bytes, delivery, listener) }
    guard let carriage = decoding.value.carriage ?? recognise(bytes, delivery, decoding) else {
      return withhold(bytes, delivery, listener)
    }
    if carriage == .plain {
      self.decoding = nil
      receive(bytes, delivery, listener)
      // For pasted bytes, no finding about the guessed serializer.
      if array.value.problem == nil && delivery.origin.record > 0 {
        reportRecognition(delivery.origin, decoding, listener)
      }
      return
    }
    guard carriage.isText == (delivery.kind != .binary) else {
      withhold(bytes, delivery, listener)
      let (sent, due) = carriage.isText ? ("binary", "text") : ("text", "binary")
      return listener.remark(
        .opcodeMismatch, .error, delivery.origin,
        "a \(sent) message, but WAMP in \(carriage.name) uses \(due) ones")
    }
    if carriage.isBatched {
      batch(bytes, carriage, delivery, decoding, listener)
    } else {
      transcode(bytes, 0..<bytes.byteCount, delivery, decoding, listener)
    }
  }

  /// A message that may be of another connection, with another serializer: what it looks like
  /// decides how it is read.
  @inline(never)
  mutating func receive(
    asItLooks bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    sessionRules.context.mayHaveOthers = true
    let own = decoding
    defer { decoding = own }
    var delivery = delivery
    delivery.mayBeOfOthers = false
    if let carriage = Self.carriage(of: bytes, delivery) {
      if carriage == .plain {
        decoding = nil
      } else if own?.value.carriage != carriage {
        decoding = Cell(WAMPDecoding(carriage, limits: messageRules.shared.limits))
      }
    } else if delivery.kind == .binary {
      return withhold(bytes, delivery, listener)
    }
    receive(bytes, delivery, listener)
  }

  /// How a message is carried, as its first bytes and its opcode show; nil where they do not.
  private static func carriage(of bytes: RawSpan, _ delivery: Delivery) -> WAMPCarriage? {
    let found: WAMPSerializer.Recognised?
    switch delivery.kind {
    case .binary: found = WAMPSerializer.recognise(bytes)
    case .withheld:
      found = WAMPSerializer.recognise(bytes.extracting(0..<Int(delivery.certainBytes)))
    default:
      return WAMPCarriage(serializer: .json, isBatched: WAMPDecoding.endsBatch(bytes))
    }
    return found.map { WAMPCarriage(serializer: $0.serializer, isBatched: $0.isBatched) }
  }

  /// The first text that is a batch: all messages are read as batches from now on.
  mutating func beginBatches() {
    if decoding != nil { return }
    let carriage = WAMPCarriage(serializer: .json, isBatched: true)
    decoding = Cell(WAMPDecoding(carriage, limits: messageRules.shared.limits))
  }

  /// Text messages are taken as JSON whatever they look like; their faults are reported later.
  private func recognise(
    _ bytes: RawSpan, _ delivery: Delivery, _ decoding: Cell<WAMPDecoding>
  ) -> WAMPCarriage? {
    guard
      let found = WAMPDecoding.recognise(bytes, delivery.kind)
        ?? (delivery.kind == .binary ? nil : .plain)
    else { return nil }
    // The finding about the missing subprotocol names the recognised serializer too.
    decoding.value.recognised(found, mustReport: !lacksSubprotocol)
    return found
  }

  /// All messages of a batch have the origin of the one that brought them.
  private mutating func batch(
    _ bytes: RawSpan, _ carriage: WAMPCarriage, _ delivery: Delivery,
    _ decoding: Cell<WAMPDecoding>, _ listener: any Listener
  ) {
    var batch = Batch(carriage.isText ? .separated : .prefixed)
    while let range = batch.next(bytes) {
      if carriage.isText {
        read(bytes.extracting(range), delivery, listener)
        reportRecognition(delivery.origin, decoding, listener)
      } else {
        transcode(bytes, range, delivery, decoding, listener)
      }
    }
    if batch.hasOctalSeparator && !decoding.value.hasReportedSeparator {
      decoding.value.hasReportedSeparator = true
      listener.remark(
        .batchSeparator, .note, delivery.origin,
        "messages are separated by 0x18, where the specification says 0x1E")
    }
    guard let problem = batch.problem else { return }
    let offset = batch.problemOffset
    switch problem {
    case .empty:
      UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
      listener.remark(.batchEmpty, .error, delivery.origin, "a batch without a message")
    case .emptyMessage:
      if batch.count == 0 { UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener) }
      listener.remark(
        .batchEmpty, .error, delivery.origin,
        "the message at byte \(offset) of a batch is empty")
    case .unterminated:
      listener.remark(
        .batchTruncated, .error, delivery.origin,
        "the last message of a batch lacks its separator")
    case .incompleteLength, .overlong:
      // Hide what was not reported yet.
      withhold(bytes.dropping(offset), delivery, listener)
      let left = bytes.byteCount - offset
      listener.remark(
        .batchTruncated, .error, delivery.origin,
        problem == .overlong
          ? "the message at byte \(offset) of a batch claims \(bytes.uint32(at: offset)) bytes;"
            + " \(left - 4) follow"
          : "a batch ends at its byte \(offset) with \(left) bytes that are no length")
    }
  }

  /// Hides bytes that cannot be read. They may contain messages that the session rules would miss.
  private mutating func withhold(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    sessionRules.miss()
    UnclaimedLayer.report(bytes, delivery, mayHoldSecrets: true, carrier: carrier, listener)
  }

  /// One message in a serializer other than JSON.
  private mutating func transcode(
    _ bytes: RawSpan, _ range: Range<Int>, _ delivery: Delivery,
    _ decoding: Cell<WAMPDecoding>, _ listener: any Listener
  ) {
    let sent = bytes.extracting(range)
    defer { decoding.value.endMessage() }
    let end = decoding.value.transcode(bytes, range)
    let name = decoding.value.serializerName
    guard let end else {
      withhold(sent, delivery, listener)
      let fault = decoding.value.fault?.description ?? "it cannot be read"
      return listener.remark(.decodeFailed, .error, delivery.origin, "not \(name): \(fault)")
    }
    var delivery = delivery
    decoding.value.read(&array.value)
    if array.value.scanner.problem == nil && array.value.scanner.isArray {
      delivery.kind = .text
      sessionRules.context.isInexact = decoding.value.peculiarityCount > 0
      messageRules.hasUnreadablePart =
        sessionRules.context.isInexact
        && decoding.value.peculiarities.contains { $0.kind == .unreadablePart }
      let trailing = range.upperBound - end + decoding.value.unread(sent)
      decoding.value.isFollowed = trailing > 0
      listener.sent(sent, trailing: trailing, as: name)
      report(decoding.value.text.bytes, delivery, listener)
    } else {
      withhold(sent, delivery, listener)
      remark(delivery.origin, listener)
    }
    if end < range.upperBound {
      let rest = range.upperBound - end
      listener.remark(
        .trailingBytes, .error, delivery.origin,
        "\(rest == 1 ? "1 byte follows" : "\(rest) bytes follow") the end of the list,"
          + " which is at byte \(end)")
    }
    if decoding.value.isAmbiguous {
      listener.remark(
        .ubjsonAmbiguous, .warning, delivery.origin,
        "the numbers are read as BJData (little-endian); in UBJSON they would be different")
    }
    if decoding.value.peculiarityCount > 0 {
      WAMPPeculiarities.report(
        decoding.value.peculiarities, count: decoding.value.peculiarityCount, name,
        delivery.origin, listener)
    }
    reportRecognition(delivery.origin, decoding, listener)
  }

  private func reportRecognition(
    _ origin: Origin, _ decoding: Cell<WAMPDecoding>, _ listener: any Listener
  ) {
    guard decoding.value.mustReportRecognition else { return }
    decoding.value.mustReportRecognition = false
    listener.remark(
      .serializerRecognised, .note, origin,
      "these messages are WAMP in \(decoding.value.serializerName)"
        + "\(decoding.value.carriage?.isBatched == true ? ", batched," : ",")"
        + " recognised by their form")
  }
}

extension WAMPLayer {
  /// Reports keys that occur twice, where the scan suspects some.
  @inline(never)
  mutating func reportRepeatedKeys(
    _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    let keys = RepeatedKeys(in: bytes)
    if keys.count > 0 {
      // Receivers differ in which value they take.
      sessionRules.context.isInexact = true
      let more = keys.count > 1 ? "; \(keys.count - 1) more like this" : ""
      listener.remark(
        .duplicateKey, .warning, origin,
        "the JSON has the key \(WAMPMessageRules.text(bytes, keys.first)) at byte"
          + " \(keys.first.start - 1), which its object has already\(more)")
    }
    if let offset = keys.unchecked {
      listener.remark(
        .beyondJSON, .note, origin,
        "the JSON has \(Peculiarity(.keysUnchecked, offset: offset).description)")
    }
  }
}
