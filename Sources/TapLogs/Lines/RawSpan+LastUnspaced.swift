// SPDX-License-Identifier: Apache-2.0
import TapBytes

extension RawSpan {
  /// The offset of the last byte that is no white space of JSON; nil when there is none.
  var lastUnspaced: Int? { (0..<byteCount).last { !byte(at: $0).isJSONSpace } }
}
