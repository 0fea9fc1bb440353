// SPDX-License-Identifier: Apache-2.0

/// What the conversations of one run have in common: bounds, who chooses layers, and one state for
/// each type that asks for it. Where sessions of a protocol are compared with each other, it keeps
/// what it knows of them here. Layers stay blind: a state can only be found by who has its type.
public final class RunContext {
  public let limits: Limits
  /// Chooses what a dialect carries, when it carries others; nil in a run of one dialect alone.
  public private(set) weak var chooser: (any Chooser)?
  /// Sessions that no TCP connection carries alone.
  public let sessions: SpanningSessions
  private var states: [ObjectIdentifier: AnyObject] = [:]

  /// - Parameter flows: where conversations get their numbers that have no TCP connection of their
  ///   own; nil in a run of one dialect alone.
  public init(limits: Limits, chooser: (any Chooser)? = nil, flows: FlowNumbers? = nil) {
    (self.limits, self.chooser) = (limits, chooser)
    sessions = SpanningSessions(flows ?? FlowNumbers(above: limits.connections), limits: limits)
  }

  /// The one state of this type, made when it is first asked for.
  public func shared<State: AnyObject>(_ make: () -> State) -> State {
    if let state = states[ObjectIdentifier(State.self)] as? State { return state }
    let state = make()
    states[ObjectIdentifier(State.self)] = state
    return state
  }
}
