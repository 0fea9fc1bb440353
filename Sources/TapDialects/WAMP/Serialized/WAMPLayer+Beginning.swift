// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Serialized messages whose beginning a logger has kept.
extension WAMPLayer {
  /// Reads it as far as it goes, where the conversation has told its serializer; else its size is
  /// all there is to say.
  @inline(never)
  mutating func receiveBeginning(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let octets = bytes.extracting(0..<Int(delivery.certainBytes))
    var recogniser = WAMPRecogniser(limits: Limits())
    guard let decoding, decoding.value.transcode(beginning: octets),
      recogniser.recognise(decoding.value.text.bytes, .abridged, in: .text).grade != .none
    else {
      sessionRules.miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    defer { decoding.value.endMessage() }
    array.value.read(decoding.value.text.bytes)
    var cut = delivery
    (cut.kind, cut.certainBytes) = (.abridged, 0)
    tell(decoding.value.text.bytes, cut, listener)
  }
}
