// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Messages with missing pieces: they are read up to the first element that is not complete.
extension WAMPLayer {
  @inline(never)
  mutating func receivePartial(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    sessionRules.miss()
    let known = Self.extent(of: bytes, upTo: Int(delivery.certainBytes)).known
    var text = Scratch()
    text.append(bytes.extracting(0..<known))
    text.append(UInt8(ascii: "]"))
    array.value.read(text.bytes)
    guard known > 1, array.value.name.utf8CodeUnitCount > 0 else {
      session.signsWithKeys = false
      let mayHoldSecrets = Self.mayBeHandshake(bytes, certain: Int(delivery.certainBytes))
      return UnclaimedLayer.report(
        bytes, delivery, mayHoldSecrets: mayHoldSecrets, carrier: carrier, listener)
    }
    var message = Message("wamp", Symbol(array.value.name), delivery.origin)
    message.traits = [.isText, .isPartial]
    if delivery.kind.hidesText { message.traits.insert(.hidesText) }
    message.sentBytes = delivery.sentBytes
    var notes = ContiguousArray<Note>()
    WAMPLinks.declare(&array.value, text.bytes, &session, &message, &notes)
    // The ranges of the parsed elements hold for the captured bytes too; the rest of the message
    // starts after the comma.
    let rest = ByteRange(min(known + 1, bytes.byteCount), bytes.byteCount)
    (message.payload, message.keywords) = (rest, ByteRange())
    if array.value.code == WAMPCode.challenge || array.value.code == WAMPCode.authenticate {
      session.signsWithKeys = false
      notes = [Note(.bulk, "incomplete", ByteRange(0, bytes.byteCount))]
    } else if let other = Self.secondList(in: bytes, from: 1) {
      notes.append(Note(.bulk, "withheld", ByteRange(other, bytes.byteCount)))
    }
    message.session = session.number
    listener.message(message, bytes, notes.span)
  }

  /// Whether a text may be a message that carries credentials (HELLO, WELCOME, CHALLENGE or
  /// AUTHENTICATE), as far as its type is known. The session's state does not matter, as another
  /// session may have begun unseen. Such a message may also follow a first list, or text that is
  /// not a list.
  static func mayBeHandshake(_ bytes: RawSpan, certain: Int) -> Bool {
    let known = bytes.extracting(0..<min(certain, bytes.byteCount))
    var at = 0
    func skipSpace() { while at < known.byteCount, known.byte(at: at) <= 0x20 { at += 1 } }
    skipSpace()
    guard at < known.byteCount else { return true }
    if known.byte(at: at) != UInt8(ascii: "[") { return WAMPSecrets.mayBeHandshake(bytes) }
    at += 1
    skipSpace()
    let start = at
    while at < known.byteCount, known.byte(at: at).isDigit { at += 1 }
    let digits = known.extracting(start..<at)
    // Where the type code belongs, a string or a list may stand for any code.
    if digits.isEmpty { return true }
    let isHandshake =
      digits.byteCount == 1 && [0x31, 0x32, 0x34, 0x35].contains(digits.byte(at: 0))
    if isHandshake || digits.byte(at: 0) == UInt8(ascii: "0") { return true }
    return secondList(in: bytes, from: at) != nil
  }

  /// Where a list with credentials may begin after the first list. The end of the first list may be
  /// missing, so a list that looks like HELLO or AUTHENTICATE counts anywhere. After what looks
  /// like the end of the first list, anything counts.
  private static func secondList(in bytes: RawSpan, from start: Int) -> Int? {
    let handshake = WAMPSecrets.firstHandshake(in: bytes, from: start)
    guard let end = extent(of: bytes, upTo: bytes.byteCount).end else { return handshake }
    var at = end
    while at < bytes.byteCount, bytes.byte(at: at) <= 0x20 { at += 1 }
    return at < bytes.byteCount ? min(end, handshake ?? end) : handshake
  }

  /// How far a list extends when its bytes are known up to `certain`. `known` is the offset of the
  /// comma after the last complete element, or 0; `end` is the offset after its closing bracket, or
  /// nil.
  private static func extent(
    of bytes: RawSpan, upTo certain: Int
  ) -> (known: Int, end: Int?) {
    var brackets = BracketCount()
    var last = 0
    for at in 0..<min(certain, bytes.byteCount) {
      let byte = bytes.byte(at: at)
      if brackets.take(byte) { return (last, at + 1) }
      if byte == .comma && brackets.depth == 1 && !brackets.isInString { last = at }
    }
    return (last, nil)
  }
}
