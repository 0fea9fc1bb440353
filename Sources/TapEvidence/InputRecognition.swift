// SPDX-License-Identifier: Apache-2.0

/// What the first bytes of a file say about it.
public enum InputRecognition {
  /// Too few bytes to tell. Not answered when these are all.
  case needMore
  /// The decoder; it has seen nothing yet, so the head must be given to it too.
  case input(any Input)
  /// Nothing that we read.
  case unknown
}
