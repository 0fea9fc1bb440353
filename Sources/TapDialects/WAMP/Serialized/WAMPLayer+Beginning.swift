// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Serialized messages of which a log has only the beginning.
extension WAMPLayer {
  /// Reads the beginning if the serializer is known from the conversation; otherwise only the size
  /// is shown.
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
    report(decoding.value.text.bytes, cut, listener)
  }
}
