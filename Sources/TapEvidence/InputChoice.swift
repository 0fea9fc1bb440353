// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What options say of the evidence, so that it need not be recognised.
public struct InputChoice: Sendable {
  /// The name of an input; nil when its bytes are to tell.
  public var input: String?
  /// The dialect that was named: what has the form of one of its messages is one; nil for none.
  public var dialect: String?
  /// It is an argument, or goes on behind messages that were pasted: messages, and no conversation.
  public var isPasted = false
  /// The text around messages is wanted, too.
  public var keepsContext = false
  /// It is there as a whole: what has come of it need not be told at once.
  public var isWhole = false
  /// It arrives as it happens: its reader says when what waits is to be settled.
  public var isLive = false
  /// It is one of several files of one log.
  public var succession: (any InputSuccession)?

  /// Makes what tells messages from other texts, one for each input.
  public var recogniser: @Sendable () -> any TextRecogniser = { NoTextRecogniser() }

  /// What the code of a finding says that an earlier run told.
  public var earlierFinding: @Sendable (_ code: String) -> EarlierFinding = { _ in
    EarlierFinding()
  }

  public init() {}

  /// A dialect was named.
  public var isForced: Bool { dialect != nil }
}
