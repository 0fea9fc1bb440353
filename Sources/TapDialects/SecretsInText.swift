// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Credentials that only dialects know, in a text around messages: a line of a log that nobody took
/// for a message.
public enum SecretsInText {
  /// Where they stand; some may be found twice.
  public static func ranges(_ text: RawSpan) -> [Range<Int>] {
    JSONInText.secrets(in: text) + EngineIOInText.sessions(text) + OCPPInText.values(text)
      + quoted(text).map { $0.value.start..<$0.value.end }
  }

  /// Those of messages that a text quotes, at any depth of strings in strings.
  static func quoted(_ text: RawSpan) -> [CredentialFinder.Credential] {
    WAMPInText.secrets(text)
      + MQTTInText.connects(text).map {
        CredentialFinder.Credential(
          value: ByteRange($0.lowerBound, $0.upperBound), needsQuotes: false)
      }
  }
}
