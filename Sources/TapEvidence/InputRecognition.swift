// SPDX-License-Identifier: Apache-2.0

/// What the first bytes of a file say about it.
public enum InputRecognition {
  /// Too few bytes to decide. Not returned when there are no more.
  case needMore
  /// The decoder. It has received nothing yet, so it has to be given the head, too.
  case input(any Input)
  /// Nothing that we read.
  case unknown
}
