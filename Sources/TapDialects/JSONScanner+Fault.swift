// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import TapTraffic

extension JSONScanner {
  /// Why the scanned text is not JSON.
  var fault: String {
    problem == .incomplete ? "it ends inside of a value" : "byte \(offset) is not expected there"
  }

  /// Whether the scanned text, which was sent as it is, is no JSON to anybody, so that no message
  /// is missing. What is nested too deeply, or has more behind it, may be one to others, as may
  /// bytes.
  ///
  /// - Parameter isPrinted: it was read from a log, whose program may have cut it.
  func isNoMessage(_ kind: Delivery.Kind, isPrinted: Bool) -> Bool {
    if isPrinted || kind == .abridged || kind == .binary { return false }
    return problem == .incomplete || problem == .unexpected
  }
}
