// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapDumps
import TapEvidence
import TapInputs
import TapInspector
import TapRender
import TapTesting
import TapTraffic

/// A capture, decoded within the process as the command does it, and read back from its NDJSON.
struct Decoded {
  struct Connection {
    var client: String
    var server: String
    /// `opened`, then `closed` or `unfinished`.
    var states: [String] = []

    var name: String { client + " > " + server }
  }

  /// Every line.
  let text: [UInt8]
  private(set) var messages: [NDJSONMessage] = []
  /// By number.
  private(set) var connections: [Int: Connection] = [:]
  private(set) var findings: [String] = []
  private(set) var summary = Value.null

  init(capture name: String) throws {
    try self.init(
      [Captures.bytes(of: Captures.path(name))], name: name, keyLog: Captures.keyLog(of: name))
  }

  /// - Parameters:
  ///   - pieces: the file, cut anywhere.
  ///   - keyLog: secrets of its TLS sessions.
  init(_ pieces: [[UInt8]], name: String = "test.pcap", keyLog: [UInt8] = []) throws {
    text = Self.render(pieces, NDJSONRenderer(inputs: [name]), keyLog: keyLog)
    for line in text.split(separator: 0x0A) { try read(Array(line)) }
  }

  static func render(_ pieces: [[UInt8]], _ name: String) -> [UInt8] {
    render(pieces, NDJSONRenderer(inputs: [name]))
  }

  /// - Parameter buffer: bytes that are decoded ahead of what is shown; nil to show each message
  ///   at once.
  static func render(
    _ pieces: [[UInt8]], _ renderer: any Renderer, keyLog: [UInt8] = [],
    ordersByTime: Bool = false, buffer: Int? = nil
  ) -> [UInt8] {
    var options = Inspector.Options()
    options.showsSecrets = true
    let inspector = Inspector(renderer, options)
    let engine = Engine(inspector, limits: options.limits, ordersByTime: ordersByTime)
    let read = StreamBuffer()
    let (found, played) = (ListenerBuffer(), ListenerBuffer())
    func play() {
      found.exchange(with: played)
      engine.play(played)
    }
    func decode() {
      engine.streamBuffer.exchange(with: read)
      engine.read(read, into: found)
    }
    if let buffer {
      engine.streamBuffer.limit(to: buffer, whenFull: decode)
      found.limit(to: buffer, whenFull: play)
      engine.decodeAhead()
    }
    if !keyLog.isEmpty { engine.follow { $0(keyLog.span.bytes) } }
    var choice = InputChoice()
    choice.recogniser = { DialectTextRecogniser(limits: Limits()) }
    var input: (any Input)?
    var head: [UInt8] = []
    for (index, piece) in (pieces + [[]]).enumerated() {
      if input != nil {
        input!.receive(piece.span.bytes, engine)
        continue
      }
      head += piece
      let isAll = index == pieces.count
      let limits = options.limits
      if case .input(let found) = Inputs.recognise(
        head.span.bytes, isAll: isAll, input: 0, limits: limits, choice: choice)
      {
        input = found
        input!.receive(head.span.bytes, engine)
      }
    }
    input?.finish(engine)
    decode()
    play()
    engine.endDecodingAhead()
    engine.finish()
    var rendered: [UInt8] = []
    inspector.withText { rendered = $0.bytes.copied() }
    return rendered
  }

  private mutating func read(_ line: [UInt8]) throws {
    let members = try ValueReader.members(of: line)
    let event = Value.object(
      members.map { Value.Member(key: Array($0.key.utf16), value: $0.value) })
    switch event["event"]?.text {
    case "message": messages.append(try NDJSONMessage(members))
    case "finding": findings.append(event["code"]?.text ?? "")
    case "summary": summary = event
    case "connection":
      guard let number = event["connection"]?.int, let state = event["state"]?.text else {
        throw NDJSONMessage.ContractBroken(event: event)
      }
      if state == "opened" {
        // Exports do not always say who spoke.
        guard let client = event["client"], let server = event["server"] else {
          throw NDJSONMessage.ContractBroken(event: event)
        }
        connections[
          number, default: Connection(client: client.text ?? "", server: server.text ?? "")
        ].states.append(state)
      } else {
        connections[number, default: Connection(client: "", server: "")].states.append(state)
      }
    default: throw NDJSONMessage.ContractBroken(event: event)
    }
  }

  /// Messages of the application, no control frames.
  var data: [NDJSONMessage] { messages.filter { !$0.isControl } }

  /// The captured bytes of all TCP payloads, and those of them that were accounted for.
  var payload: (captured: UInt64?, accounted: UInt64) {
    var sum: UInt64 = 0
    if case .object(let fates)? = summary["bytes"] {
      for fate in fates { sum += fate.value.natural ?? 0 }
    }
    return (summary["counts"]?["payloadBytes"]?.natural, sum)
  }
}
