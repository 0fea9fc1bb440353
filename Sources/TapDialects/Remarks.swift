// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import TapTraffic

extension Listener {
  /// A finding about the message that was reported last.
  ///
  /// - Parameters:
  ///   - isSaid: the message itself reports it.
  ///   - isAboutLast: false for a finding that is not about that message.
  func remark(
    _ code: Finding.Code, _ severity: Finding.Severity, _ delivery: Delivery, _ text: String,
    isSaid: Bool = false, isAboutLast: Bool = true
  ) {
    var finding = Finding(code, severity, delivery.origin, text, isAboutLastMessage: isAboutLast)
    finding.isSaidByMessage = isSaid
    self.finding(finding)
  }
}

extension JSONScanner {
  /// Why the scanned text is not JSON.
  var fault: String {
    problem == .incomplete ? "it ends inside of a value" : "byte \(offset) is not expected there"
  }
}
