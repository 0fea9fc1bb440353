// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What the user's options say about the evidence.
public struct InputChoice: Sendable {
  /// The name of an input kind; nil to recognise it by its bytes.
  public var input: String?
  /// The dialect that the user named: everything that has the form of its messages counts as one;
  /// nil for none.
  public var dialect: String?
  /// It is an argument, or follows messages that were pasted: messages without a conversation.
  public var isPasted = false
  /// The text around messages is to be reported, too.
  public var keepsContext = false
  /// All of it is available: there is no hurry to report what has come so far.
  public var isWhole = false
  /// It arrives live: its reader calls `settle` when it has waited long enough.
  public var isLive = false
  /// It is one of several files of a rotated log.
  public var succession: (any InputSuccession)?

  /// Makes a recogniser of messages in text; each input gets its own.
  public var recogniser: @Sendable () -> any TextRecogniser = { NoTextRecogniser() }

  /// Looks up the code of a finding that an earlier run printed.
  public var earlierFinding: @Sendable (_ code: String) -> EarlierFinding = { _ in
    EarlierFinding()
  }

  public init() {}

  /// A dialect was named.
  public var isForced: Bool { dialect != nil }
}
