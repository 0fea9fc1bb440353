// SPDX-License-Identifier: Apache-2.0

/// A field of a table in Autobahn's FlatBuffers schema: its slot, and its name in WAMP.
struct FlatBufferField: Sendable {
  enum Kind: Sendable {
    /// An unsigned integer; its width in bytes.
    case natural(Int)
    case bool, string
    /// An enumeration: one byte, an index into the list.
    case word([StaticString])
    /// A vector of enumeration bytes.
    case words([StaticString])
    /// Vectors: of 64-bit integers, of strings, of `Principal` tables.
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
  /// The word that an absent field stands for, as the schema names it; empty where it names none.
  var absent: StaticString

  init(_ slot: Int, _ name: StaticString, _ kind: Kind, absent: StaticString = "") {
    (self.slot, self.name, self.kind, self.absent) = (slot, name, kind, absent)
  }
}
