// SPDX-License-Identifier: Apache-2.0
import TapEncodings

extension JSONScanner {
  /// Why the scanned text is not JSON.
  var fault: String {
    problem == .incomplete ? "it ends inside of a value" : "byte \(offset) is not expected there"
  }
}
