// SPDX-License-Identifier: Apache-2.0

/// A field of a table of autobahn's FlatBuffers schema: its slot, and what it is called in WAMP.
struct FlatBufferField: Sendable {
  enum Kind: Sendable {
    /// An unsigned integer of so many bytes.
    case natural(Int)
    case bool, string
    /// One byte, a place in a list of words.
    case word([StaticString])
    /// A vector of such bytes.
    case words([StaticString])
    /// A vector of integers of 64 bits, of strings, of tables `Principal`.
    case naturals, strings, principals
    /// A table `Map`: one key and one value.
    case map
    /// A table of roles, each a table of booleans.
    case roles([Role])
  }

  /// A role, and its features by slot.
  struct Role: Sendable {
    var name: StaticString
    var features: [StaticString]
  }

  var slot: Int
  var name: StaticString
  var kind: Kind

  init(_ slot: Int, _ name: StaticString, _ kind: Kind) {
    (self.slot, self.name, self.kind) = (slot, name, kind)
  }
}
