// SPDX-License-Identifier: Apache-2.0

/// Whether a file is of a kind of evidence, by its first bytes.
public enum InputClaim: Sendable {
  case no
  /// More bytes are needed.
  case undecided
  case yes
}
