// SPDX-License-Identifier: Apache-2.0
internal import TapLibraries

/// Why nothing can be captured from an interface.
public enum CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The program was built without the trait `LiveCapture`.
  case notBuilt
  /// libpcap is not installed, or too old.
  case noLibrary
  /// - Parameter existing: the existing interfaces.
  case noSuchInterface(String, existing: [String])
  /// - Parameter detail: the system's message.
  case notPermitted(String, detail: String)
  /// libpcap or the system refuses; `detail` is their message.
  case refused(String, detail: String)
  /// - Parameter detail: libpcap's message about the expression.
  case badFilter(String, detail: String)

  /// One line. Names and system messages are not escaped.
  public var description: String {
    switch self {
    case .notBuilt:
      "this wamptap was built without live capture; let tcpdump capture:"
        + " tcpdump -U -w - | wamptap -"
    case .noLibrary: "libpcap, which captures, cannot be loaded; \(SharedLibrary.libpcap.remedy)"
    case .noSuchInterface(let name, let existing):
      "\(name): there is no such interface; there are: \(existing.joined(separator: ", "))"
    case .notPermitted(let name, let detail):
      "\(name): no right to capture\(detail.isEmpty ? "" : " (\(detail))")"
    case .refused(let name, let detail): "\(name): \(detail)"
    case .badFilter(let expression, let detail): "the filter '\(expression)': \(detail)"
    }
  }
}
