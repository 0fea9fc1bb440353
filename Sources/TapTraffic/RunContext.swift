// SPDX-License-Identifier: Apache-2.0

/// What all conversations of one run share: bounds, the chooser of layers, and one state object for
/// each type that asks for one. A dialect that compares sessions with each other keeps what it
/// knows of them here. Only code that knows the type of a state can reach it.
public final class RunContext {
  public let limits: Limits
  /// Chooses the layer that a dialect carries, for dialects that carry others; nil in a run of a
  /// single dialect.
  public private(set) weak var chooser: (any Chooser)?
  /// Sessions that span several TCP connections.
  public let sessions: SpanningSessions
  private var states: [ObjectIdentifier: AnyObject] = [:]

  /// - Parameter flows: gives numbers to conversations without a TCP connection of their own; nil
  ///   in a run of a single dialect.
  public init(limits: Limits, chooser: (any Chooser)? = nil, flows: FlowNumbers? = nil) {
    (self.limits, self.chooser) = (limits, chooser)
    sessions = SpanningSessions(flows ?? FlowNumbers(above: limits.connections), limits: limits)
  }

  /// The state of this type; made when it is first asked for.
  public func shared<State: AnyObject>(_ make: () -> State) -> State {
    if let state = states[ObjectIdentifier(State.self)] as? State { return state }
    let state = make()
    states[ObjectIdentifier(State.self)] = state
    return state
  }
}
