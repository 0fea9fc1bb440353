// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reads the DEBUG and TRACE lines of Spring's STOMP classes: they print frames in words, without
/// most headers and with long bodies truncated. A frame that several classes print is narrations
/// once.
///
///     From client: SEND /app/chat session=k3v0qz1x payload={"text":"hello"}
///     Processing SUBSCRIBE /topic/chat id=sub-0 session=k3v0qz1x
///     Encoding STOMP MESSAGE, headers={destination=[/topic/chat], message-id=[k3v0qz1x-0]}
struct SpringLog: NarratedLog {
  /// The text before a frame.
  private struct Lead {
    let words: StaticString
    let direction: Direction
    /// The class forwards a frame that another class has printed.
    var isRepeated = false
  }

  private static let leads = [
    Lead(words: "From client: ", direction: .toServer),
    Lead(words: "Encoding STOMP ", direction: .toClient),
    Lead(words: "Processing ", direction: .toServer, isRepeated: true),
    // Frames to methods of the application, not to the broker.
    Lead(words: "Searching methods to handle ", direction: .toServer, isRepeated: true),
    Lead(words: "Forwarding ", direction: .toServer, isRepeated: true),
    Lead(words: "Received ", direction: .toClient),
  ]

  private(set) var isKnown = false
  let waiting: Origin? = nil
  /// The class that receives from clients has printed frames.
  private var hasClients = false
  /// Sessions seen in lines, and those of them without CONNECTED yet.
  private var sessions: Set<String> = []
  private var connecting: Set<String> = []
  /// The session that requested each receipt.
  private var askers: [[UInt8]: String] = [:]
  /// The limit of sessions, which is that of connections.
  private let most: Int

  init(limits: Limits) { most = limits.connections }

  func mayReport(_ line: RawSpan) -> Bool { Self.find(line) != nil }

  mutating func look(at line: RawSpan) -> Bool {
    guard let (lead, frame) = Self.read(line) else { return false }
    if !frame.session.isEmpty { isKnown = true }
    if !lead.isRepeated && lead.direction == .toServer { hasClients = true }
    return true
  }

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    guard let (lead, frame) = Self.read(line) else { return false }
    if lead.isRepeated && hasClients { return false }
    if !lead.isRepeated && lead.direction == .toServer { hasClients = true }
    var session = frame.session
    if session.isEmpty {
      guard let known = self.session(of: frame) else { return false }
      session = known
    }
    note(frame, session)
    var at = origin
    at.direction = lead.direction
    narrations.append(
      Narration(
        program: "Spring", dialect: "stomp", connection: session,
        begins: frame.command == .connect || frame.command == .stomp, origin: at,
        event: .message(frame.json())))
    return true
  }

  private mutating func note(_ frame: SpringFrame, _ session: String) {
    if sessions.count < most { sessions.insert(session) }
    switch frame.command {
    case .connect, .stomp: if connecting.count < most { connecting.insert(session) }
    case .connected: connecting.remove(session)
    default: break
    }
    if let receipt = frame.value("receipt"), askers.count < most { askers[receipt] = session }
    if let receipt = frame.value("receipt-id") { askers[receipt] = nil }
  }

  /// Encoded frames name no session, but mostly contain something that belongs to only one.
  private func session(of frame: SpringFrame) -> String? {
    switch frame.command {
    case .connected: return connecting.count == 1 ? connecting.first : nil
    case .receipt: return frame.value("receipt-id").flatMap { askers[$0] }
    default:
      // The simple broker's message ids begin with the session.
      guard let id = frame.value("message-id"), let dash = id.lastIndex(of: UInt8(ascii: "-"))
      else { return nil }
      let session = String(decoding: id[..<dash], as: Unicode.UTF8.self)
      return sessions.contains(session) ? session : nil
    }
  }

  mutating func settle(_: inout ContiguousArray<Narration>) {}

  /// Parts of the printing class's name, which is on each line: other programs use the same words.
  private static let classes: [StaticString] = ["Stomp", "SimpleBroker", "AnnotationMethodMessage"]

  /// The text after a frame to an application method.
  private static let destination: StaticString = ", lookupDestination='"

  private static func read(_ line: RawSpan) -> (Lead, SpringFrame)? {
    guard let (lead, start) = find(line),
      let frame = SpringFrame(line.extracting(start..<end(line, from: start))),
      frame.command.direction == lead.direction,
      hasClass(line.extracting(0..<start - lead.words.utf8CodeUnitCount))
    else {
      return nil
    }
    return (lead, frame)
  }

  private static func hasClass(_ text: RawSpan) -> Bool { classes.contains { text.contains($0) } }

  /// The end of the frame that begins at `start`.
  private static func end(_ line: RawSpan, from start: Int) -> Int {
    (start..<line.byteCount).last { line.dropping($0).starts(with: destination) } ?? line.byteCount
  }

  /// The text before a command, and the command's offset.
  private static func find(_ line: RawSpan) -> (Lead, Int)? {
    var at = 0
    while at < line.byteCount {
      switch line.byte(at: at) {
      case UInt8(ascii: "F"), UInt8(ascii: "E"), UInt8(ascii: "P"), UInt8(ascii: "R"),
        UInt8(ascii: "S"):
        let rest = line.dropping(at)
        for lead in leads where rest.starts(with: lead.words) {
          return (lead, at + lead.words.utf8CodeUnitCount)
        }
      default: break
      }
      at += 1
    }
    return nil
  }
}
