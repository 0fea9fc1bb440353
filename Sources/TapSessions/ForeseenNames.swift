// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What ids of routers stand for in a whole capture, collected in a first reading for a second one.
/// Where a capture begins in the middle of its sessions, an id may be explained only after it was
/// used.
struct ForeseenNames {
  struct Name: BitwiseCopyable {
    var subject: Int32
    var isPattern: Bool
    /// It was inferred from payloads only.
    var isInferred = false
    /// The id stood for different things at different times.
    var isAmbiguous = false
  }

  private var names = IDTable<Name>()

  var count: Int { names.count }

  subscript(key: WideKey) -> Name? { names[key] }

  mutating func add(
    _ key: WideKey, _ subject: Int32, isPattern: Bool, isInferred: Bool = false
  ) {
    let fresh = Name(subject: subject, isPattern: isPattern, isInferred: isInferred)
    let (slot, isNew) = names.insert(fresh, for: key)
    if isNew || names[slot: slot].isInferred == isInferred && names[slot: slot].subject == subject {
      return
    }
    // An explicit name wins over an inferred one.
    if names[slot: slot].isInferred == isInferred {
      names[slot: slot].isAmbiguous = true
    } else if !isInferred {
      names[slot: slot] = fresh
    }
  }

  /// Only the ids that stood for one thing throughout.
  func forEach(_ body: (WideKey, Name) -> Void) {
    names.forEach { if !$1.isAmbiguous { body($0, $1) } }
  }

  mutating func renumber(_ number: (Int32) -> Int32) {
    names.updateEach { $0.subject = number($0.subject) }
  }
}
