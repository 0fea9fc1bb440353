// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

extension JSONScanner {
  /// Whether a text is a list of JSON, or begins with one.
  static func isList(_ text: RawSpan, _ limits: Limits) -> Bool {
    var scanner = JSONScanner(maximumDepth: limits.nesting)
    return scanner.scan(text) != nil && scanner.isArray
  }
}
