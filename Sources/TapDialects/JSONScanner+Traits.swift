// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import TapTraffic

extension JSONScanner {
  /// What renderers need to know about a completely scanned text.
  var traits: Message.Traits {
    if !isStrict { return [] }
    var traits: Message.Traits = .isJSON
    if !hasSpace { traits.insert(.isCompact) }
    if !hasUnplain { traits.insert(.isPlain) }
    return traits
  }
}
