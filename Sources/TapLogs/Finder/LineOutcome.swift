// SPDX-License-Identifier: Apache-2.0

/// What reading a line in one way has come to.
enum LineOutcome {
  /// The line is not of this kind; another way of reading may find something.
  case other
  /// The line is of this kind, and has no message.
  case noMessage
  case message

  init(isMessage: Bool) { self = isMessage ? .message : .noMessage }
}
