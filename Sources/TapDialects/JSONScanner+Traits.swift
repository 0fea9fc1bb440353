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

  /// The same for a message that is this text and nothing else.
  func traits(of kind: Delivery.Kind) -> Message.Traits {
    var all = traits.union([.isText, .isSingle])
    if kind.hidesText { all.insert(.hidesText) }
    return all
  }
}
