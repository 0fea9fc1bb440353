// SPDX-License-Identifier: Apache-2.0

/// A regular expression, read.
indirect enum PatternNode {
  case empty
  case byte(ByteSet)
  /// One character: a byte, and those that continue it.
  case character(ByteSet)
  case start, end, edge, noEdge
  case sequence([PatternNode])
  case either([PatternNode])
  /// - Parameter most: nil for any number.
  case repeated(PatternNode, least: Int, most: Int?)
}
