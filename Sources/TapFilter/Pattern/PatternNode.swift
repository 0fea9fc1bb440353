// SPDX-License-Identifier: Apache-2.0

/// A parsed regular expression.
indirect enum PatternNode {
  case empty
  case byte(ByteSet)
  /// One character: a byte and its continuation bytes.
  case character(ByteSet)
  case start, end, edge, noEdge
  case sequence([PatternNode])
  case either([PatternNode])
  /// - Parameter most: nil for any number.
  case repeated(PatternNode, least: Int, most: Int?)
}
