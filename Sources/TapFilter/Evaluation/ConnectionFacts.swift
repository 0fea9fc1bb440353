// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The results of the tests of a connection when it opened, a bit for each.
struct ConnectionFacts {
  private(set) var yes: UInt64 = 0
  private(set) var unknown: UInt64 = 0
  /// The session that the realm belongs to.
  private var realmSession: UInt16 = 0

  init() {}

  init(_ opening: Opening, _ program: FilterProgram) {
    for step in program.connectionSteps {
      set(step, Self.truth(of: step, opening, program))
    }
  }

  subscript(number: Int32) -> Truth {
    let bit = UInt64(1) << UInt64(number & 63)
    return yes & bit != 0 ? .yes : unknown & bit != 0 ? .unknown : .no
  }

  private mutating func set(_ step: Step, _ truth: Truth) {
    let bit = UInt64(1) << UInt64(step.number & 63)
    yes = truth == .yes ? yes | bit : yes & ~bit
    unknown = truth == .unknown ? unknown | bit : unknown & ~bit
  }

  /// A session joins a realm.
  mutating func enter(_ realm: RawSpan, _ session: UInt16, _ program: FilterProgram) {
    realmSession = session
    for step in program.connectionSteps where step.field == .realm {
      set(step, Truth(program.holds(step, realm)))
    }
  }

  private static func truth(
    of step: Step, _ opening: Opening, _ program: FilterProgram
  ) -> Truth {
    switch step.field {
    case .client: return Truth(program.holds(step, opening.client))
    case .server: return Truth(program.holds(step, opening.server))
    case .url: return text(opening.url, step, opening, program)
    case .subprotocol: return text(opening.subprotocol, step, opening, program)
    case .writer:
      let writer = opening.provenance.writer
      return Truth(!writer.isEmpty && program.holds(step, writer.span.bytes))
    case .carrier:
      let word: StaticString =
        switch opening.carrier {
        case .stream: "stream"
        case .webSocket: "websocket"
        case .rawSocket: "rawsocket"
        case .http: "http"
        case .sockJS: "sockjs"
        }
      return Truth(program.holds(step, word: word))
    case .tlsVersion: return text(opening.security?.version, step, program)
    case .tlsCipherSuite: return text(opening.security?.cipherSuite, step, program)
    case .tlsServerName:
      guard let name = opening.security?.serverName, !name.isEmpty else { return .no }
      return Truth(program.holds(step, name.span.bytes))
    // Not known before a session joins one.
    case .realm: return opening.isFromStart ? .no : .unknown
    default: return .no
    }
  }

  /// Tests a value of the handshake, which may not have been captured.
  private static func text(
    _ text: [UInt8], _ step: Step, _ opening: Opening, _ program: FilterProgram
  ) -> Truth {
    if text.isEmpty { return opening.isFromStart ? .no : .unknown }
    return Truth(program.holds(step, text.span.bytes))
  }

  private static func text(_ text: String?, _ step: Step, _ program: FilterProgram) -> Truth {
    guard let text, !text.isEmpty else { return .no }
    return Truth(program.holds(step, Array(text.utf8).span.bytes))
  }
}
