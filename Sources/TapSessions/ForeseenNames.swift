// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What ids of routers stand for over a whole capture, found out by one reading of it for another:
/// where a capture begins in the middle of its sessions, it may be said after an id was used.
struct ForeseenNames {
  struct Name: BitwiseCopyable {
    var subject: Int32
    var isPattern: Bool
    /// Payloads say so, and nothing else.
    var isInferred = false
    /// It stood for one thing, and then for another.
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
    // What is said counts more than what is inferred.
    if names[slot: slot].isInferred == isInferred {
      names[slot: slot].isAmbiguous = true
    } else if !isInferred {
      names[slot: slot] = fresh
    }
  }

  /// Those that stood for one thing only.
  func forEach(_ body: (WideKey, Name) -> Void) {
    names.forEach { if !$1.isAmbiguous { body($0, $1) } }
  }

  mutating func renumber(_ number: (Int32) -> Int32) {
    names.updateEach { $0.subject = number($0.subject) }
  }
}
