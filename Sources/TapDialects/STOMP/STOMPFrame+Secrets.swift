// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Which parts of a frame are credentials.
extension STOMPFrame {
  /// Whether a header's value is one: the passcode, a login that is a token, or what stands beside
  /// the name of a credential.
  func isSecret(_ header: Header, _ bytes: RawSpan) -> Bool {
    switch header.kind {
    case .passcode: true
    case .login:
      first(.passcode).map { bytes[$0.value].equals(bytes[header.value]) } ?? false
        || !URLCredentials.ranges(inText: bytes[header.value].copied()).isEmpty
    case .other:
      CredentialFinder.isAny(in: bytes.extracting(header.name.start..<header.value.end), .text)
    default: false
    }
  }

  /// Whether a line without a colon may be the rest of a credential, or a whole one: in CONNECT any
  /// may, in other frames what follows a credential.
  func mayBeSecret(_ line: LooseLine, _ bytes: RawSpan) -> Bool {
    guard let command, command != .connect, command != .stomp else { return true }
    // Headers beyond the limit are not known.
    if faults.contains(.hasMoreHeaders) { return true }
    return line.place > 0 && isSecret(headers[line.place - 1], bytes)
  }
}
