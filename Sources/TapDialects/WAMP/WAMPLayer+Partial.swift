// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Messages of which pieces are not known: read as far as every element is.
extension WAMPLayer {
  @inline(never)
  mutating func receivePartial(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    watch.miss()
    let known = Self.knownElements(bytes, Int(delivery.certainBytes))
    var text = Scratch()
    text.append(bytes.extracting(0..<known))
    text.append(UInt8(ascii: "]"))
    array.read(text.bytes)
    guard known > 1, array.name.utf8CodeUnitCount > 0 else {
      // A session is established by messages that carry credentials; later ones do where the router
      // tells of sessions.
      let mayHoldSecrets = !session.hasBegun || WAMPPartialSecrets.mayHold(details: bytes)
      return UnclaimedLayer.tell(
        bytes, delivery, mayHoldSecrets: mayHoldSecrets, carrier: carrier, listener)
    }
    var message = Message("wamp", array.name, delivery.origin)
    message.traits = [.isText, .isPartial]
    var notes = ContiguousArray<Note>()
    WAMPLinks.declare(&array, text.bytes, &session, &message, &notes)
    // What is known ranges over the same octets; the rest of the message is behind the comma.
    let rest = ByteRange(min(known + 1, bytes.byteCount), bytes.byteCount)
    (message.payload, message.keywords) = (rest, ByteRange())
    if WAMPPartialSecrets.mayHold(array.code ?? 0, bytes) {
      notes = [Note(.bulk, "incomplete", ByteRange(0, bytes.byteCount))]
    }
    message.session = session.number
    listener.message(message, bytes, notes.span)
  }

  /// Up to where elements of the list are known whole: the offset of the comma behind them, or 0.
  private static func knownElements(_ bytes: RawSpan, _ certain: Int) -> Int {
    var (depth, last) = (0, 0)
    var (isString, isEscape) = (false, false)
    for at in 0..<min(certain, bytes.byteCount) {
      let byte = bytes.byte(at: at)
      if isString {
        if isEscape {
          isEscape = false
        } else if byte == UInt8(ascii: "\\") {
          isEscape = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: last = at
      default: break
      }
    }
    return last
  }
}
