// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Which requests are answered: all but a PUBLISH that does not ask for it (wamp-proto,
/// "Publish").
extension WAMPDialect {
  public func isAnswerExpected(_ message: Message, _ bytes: RawSpan) -> Bool {
    guard message.first.space == WAMPSpace.publish else { return true }
    var at = 0
    while at < bytes.byteCount, bytes.byte(at: at) != 0x5B { at += 1 }
    at += 1
    for _ in 0..<2 { _ = JSON.next(bytes, &at, inObject: false) }
    guard let options = JSON.next(bytes, &at, inObject: false)?.value, options.kind == .object
    else { return false }
    return JSON.value(of: "acknowledge", in: options.range, bytes)?.kind == .yes
  }
}
