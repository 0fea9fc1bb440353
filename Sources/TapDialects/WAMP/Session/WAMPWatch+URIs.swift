// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The URIs that a client subscribes to and registers (wamp-proto, "URIs").
extension WAMPWatch {
  /// What SUBSCRIBE and REGISTER name.
  @inline(never)
  func checkURI(
    _ code: UInt64, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let uri = bytes[message.subject]
    // Only patterns may have empty components.
    let problem = Self.problem(uri, mayHaveGaps: message.traits.contains(.isPattern))
    if let problem {
      tell(.uriInvalid, .error, message, "the URI of \(message.name) \(problem)", listener)
    }
    if code == 64 && uri.starts(with: "wamp.") {
      tell(
        .uriReserved, .error, message, "REGISTER of a URI under wamp., which is the router's own",
        listener)
    }
  }

  private static func problem(_ uri: RawSpan, mayHaveGaps: Bool) -> StaticString? {
    var before: UInt8 = 0x2E
    for at in 0..<uri.byteCount {
      let byte = uri.byte(at: at)
      if byte <= 0x20 { return "contains white space" }
      if byte == 0x23 { return "contains #" }
      if byte == 0x2E && before == 0x2E && !mayHaveGaps { return "has an empty component" }
      before = byte
    }
    return before == 0x2E && !mayHaveGaps ? "has an empty component" : nil
  }
}
