// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import TapTraffic

extension Listener {
  /// A finding about the message that was told last.
  ///
  /// - Parameter isSaid: the message itself says so.
  func remark(
    _ code: Finding.Code, _ severity: Finding.Severity, _ delivery: Delivery, _ text: String,
    isSaid: Bool = false
  ) {
    var finding = Finding(code, severity, delivery.origin, text, isAboutLastMessage: true)
    finding.isSaidByMessage = isSaid
    self.finding(finding)
  }
}

extension JSONScanner {
  /// Why the text that was scanned is no JSON.
  var fault: String {
    problem == .incomplete ? "it ends inside of a value" : "byte \(offset) is not expected there"
  }
}
