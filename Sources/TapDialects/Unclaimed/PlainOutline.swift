// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The outline of a message that is not parsed: one JSON value, one text, or bytes.
public enum PlainOutline {
  public static func append(
    _ message: Message, _ bytes: RawSpan, to branches: inout ContiguousArray<Branch>
  ) {
    var branch = Branch("payload", .octets, ByteRange(0, bytes.byteCount))
    if bytes.byteCount == 0 {
      (branch.kind, branch.meaning) = (.heading, "nothing")
    } else if message.traits.contains(.isText) {
      var scanner = JSONScanner(maximumDepth: Limits.standard.nesting)
      let end = scanner.scan(bytes)
      branch.kind = end == bytes.byteCount && scanner.isStrict ? .json : .text
      if branch.kind == .json { branch.meaning = "JSON" }
    }
    branches.append(branch)
  }
}

extension Dialect {
  /// The default for dialects without an outline of their own.
  public static func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    PlainOutline.append(message, bytes, to: &branches)
  }
}
