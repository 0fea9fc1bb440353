// SPDX-License-Identifier: Apache-2.0

/// What reading a line in one way has come to.
enum LineOutcome {
  /// It is none of these lines; another way may find something.
  case other
  /// It is one of these, and has no message.
  case noMessage
  case message

  init(isMessage: Bool) { self = isMessage ? .message : .noMessage }
}
