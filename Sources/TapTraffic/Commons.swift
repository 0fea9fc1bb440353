// SPDX-License-Identifier: Apache-2.0

/// What the conversations of one run have in common, one thing for each type: where sessions of a
/// protocol are compared with each other, it keeps what it knows of them here. Layers stay blind:
/// nobody finds a thing whose type he does not have.
public final class Commons {
  private var things: [ObjectIdentifier: AnyObject] = [:]

  public init() {}

  /// The one thing of this type, made when it is asked for first.
  public func shared<Thing: AnyObject>(_ make: () -> Thing) -> Thing {
    if let thing = things[ObjectIdentifier(Thing.self)] as? Thing { return thing }
    let thing = make()
    things[ObjectIdentifier(Thing.self)] = thing
    return thing
  }
}
