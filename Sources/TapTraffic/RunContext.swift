// SPDX-License-Identifier: Apache-2.0

/// What the conversations of one run have in common: bounds, who chooses layers, and one thing for
/// each type that asks for it. Where sessions of a protocol are compared with each other, it keeps
/// what it knows of them here. Layers stay blind: nobody finds a thing whose type he does not have.
public final class RunContext {
  public let limits: Limits
  /// Chooses what a dialect carries, when it carries others; nil in a run of one dialect alone.
  public private(set) weak var chooser: (any Chooser)?
  private var things: [ObjectIdentifier: AnyObject] = [:]

  public init(limits: Limits, chooser: (any Chooser)? = nil) {
    (self.limits, self.chooser) = (limits, chooser)
  }

  /// The one thing of this type, made when it is asked for first.
  public func shared<Counter: AnyObject>(_ make: () -> Counter) -> Counter {
    if let thing = things[ObjectIdentifier(Counter.self)] as? Counter { return thing }
    let thing = make()
    things[ObjectIdentifier(Counter.self)] = thing
    return thing
  }
}
