// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension JSONScanner {
  /// Why the scanned text is not JSON.
  var fault: String {
    problem == .incomplete ? "it ends inside of a value" : "byte \(offset) is not expected there"
  }

  /// Whether the scanned text, which was sent as it is, is no JSON to anybody, so that no message
  /// is missing. Many readers are lenient: they take a prefix, controls in strings, or a comma too
  /// many. What is nested too deeply, or has more behind it, may be a message to others, as may
  /// bytes.
  ///
  /// - Parameter isPrinted: it was read from a log, whose program may have cut it.
  func isNoMessage(_ text: RawSpan, _ kind: Delivery.Kind, isPrinted: Bool) -> Bool {
    if isPrinted || kind == .abridged || kind == .binary { return false }
    if problem == .incomplete { return true }
    guard problem == .unexpected else { return false }
    // Nothing that an answer has stands before the fault, nor, behind a prefix, after it.
    let read = text.extracting(0..<min(offset, text.byteCount))
    let isEmpty = read.firstIndex(of: .colon) == nil && read.firstIndex(of: .comma) == nil
    let hasMore =
      read.isEmpty
      && (text.firstIndex(of: .openBrace) != nil || text.firstIndex(of: .openBracket) != nil)
    return isEmpty && !hasMore
  }
}
