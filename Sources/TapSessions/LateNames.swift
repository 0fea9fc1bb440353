// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What ids of routers turn out to stand for, over a whole capture: it may be said after an id was
/// used, where the capture begins in the middle of its sessions.
struct LateNames {
  struct Name: BitwiseCopyable {
    var subject: Int32
    var isPattern: Bool
    /// It stood for one thing, and then for another.
    var isAmbiguous = false
  }

  private(set) var names = IDTable<Name>()

  mutating func add(_ key: WideKey, _ subject: Int32, isPattern: Bool) {
    let fresh = Name(subject: subject, isPattern: isPattern)
    let (slot, isNew) = names.insert(fresh, for: key)
    if !isNew && names[slot: slot].subject != subject { names[slot: slot].isAmbiguous = true }
  }

  mutating func renumber(_ number: (Int32) -> Int32) {
    names.updateEach { $0.subject = number($0.subject) }
  }
}

extension Sessions {
  /// What an id stands for, as an earlier reading of the same capture has found out.
  public struct Foreseen: Sendable {
    /// As the sessions have made it.
    public var key: WideKey
    public var subject: Int32
    public var isPattern: Bool

    public init(key: WideKey, subject: Int32, isPattern: Bool) {
      (self.key, self.subject, self.isPattern) = (key, subject, isPattern)
    }
  }
}
