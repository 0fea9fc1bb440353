// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Credentials that only dialects know, in a text around messages: a line of a log that nobody took
/// for a message.
public enum SecretsInText {
  /// Where they stand; some may be found twice.
  public static func ranges(_ text: RawSpan) -> [Range<Int>] {
    JSONInText.secrets(in: text) + EngineIOInText.sessions(text) + OCPPInText.values(text)
  }
}
