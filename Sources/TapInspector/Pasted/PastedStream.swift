// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapHTTP
import TapTraffic
import TapWebSocket

/// A stream without packets, such as a dump. Where nothing says who sent which bytes, their content
/// does: the client sends requests, and frames that are masked (RFC 6455 §5.1).
struct PastedStream {
  private enum Mode {
    /// A head or a frame begins here.
    case border
    case head
    /// Number of bytes of the frame that are still to come.
    case frame(UInt64)
    /// Frame boundaries are not known any more.
    case rest
  }

  private var above: any Layer
  private var mode = Mode.border
  private var direction = Direction.unknown
  /// The bytes since the last border, until they show what they are; of a head, all of it.
  private var held = Scratch()
  private var heldAt = Delivery(Origin())
  /// Whether the evidence itself tells the sides apart.
  private var hasSides = false
  /// The flow number, used if the stream has a handshake and so is a connection.
  private let flow: UInt32
  private var opensConnection: Bool?
  private let limits: Limits
  private let factory: LayerFactory
  private var hasBegun = false
  /// A dialect reads it directly from its first byte.
  private var isOfDialect = false
  private(set) var tally = PastedTally()

  init(_ factory: LayerFactory, flow: UInt32, _ limits: Limits) {
    (self.flow, self.limits, self.factory) = (flow, limits, factory)
    above = DecidingLayer(PastedDetector(Self.opening, factory), limits)
  }

  private static let opening = Opening(
    .stream, client: .unknown, server: .unknown, isFromStart: true)

  /// Chooses a dialect that runs on bare TCP, if the first bytes are its messages.
  private mutating func begin(with bytes: RawSpan) {
    hasBegun = true
    for dialect in Dialects.all where factory.maySpeak(dialect) {
      guard dialect.streamRecogniser(limits: limits) != nil else { continue }
      var recogniser = dialect.recogniser(limits: limits, SharedScan(limits: limits))
      let found = recogniser.recognise(bytes, .stream, in: .paste(isSpoken: false))
      guard found.grade == .likely else { continue }
      above = dialect.layer(Self.opening, factory.run)
      tally.dialect = dialect.name
      (mode, isOfDialect) = (.rest, true)
      return
    }
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    listener.count(.payloadByte, bytes.byteCount)
    if !hasBegun { begin(with: bytes) }
    if isOfDialect { return above.receive(bytes, delivery, listener) }
    if delivery.origin.direction != .unknown {
      (hasSides, tally.hasSides) = (true, true)
      direction = delivery.origin.direction
      return pass(bytes, delivery, listener)
    }
    var at = 0
    while at < bytes.byteCount {
      var here = delivery
      here.origin.offset += UInt64(at)
      let rest = bytes.dropping(at)
      switch mode {
      case .border, .head:
        if held.isEmpty { heldAt = here }
        held.append(rest.byte(at: 0))
        at += 1
        if case .head = mode { endHead(listener) } else { begin(listener) }
      case .frame(let left):
        let count = Int(min(UInt64(rest.byteCount), left))
        pass(rest.extracting(0..<count), here, listener)
        at += count
        mode = left == UInt64(count) ? .border : .frame(left - UInt64(count))
      case .rest:
        pass(rest, here, listener)
        at = bytes.byteCount
      }
    }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction != .unknown { direction = delivery.origin.direction }
    release(listener)
    if !hasSides, case .frame(let left) = mode, let missing, UInt64(missing) <= left {
      mode = left == UInt64(missing) ? .border : .frame(left - UInt64(missing))
    } else {
      mode = .rest
    }
    var lent = delivery
    lent.origin.direction = direction == .unknown ? .toClient : direction
    lent.origin.flow = opensConnection == true ? flow : 0
    above.gap(missing, lent, listener)
  }

  mutating func finish(_ delivery: Delivery, _ listener: any Listener) {
    release(listener)
    var end = delivery
    end.origin.flow = opensConnection == true ? flow : 0
    above.finish(.endOfEvidence, end, listener)
  }

  /// Decides whether a head or a frame begins here, once enough bytes are held.
  private mutating func begin(_ listener: any Listener) {
    switch HTTPStart.recognise(held.bytes) {
    case true: mode = .head
    case nil: return
    case false:
      guard let frame = FrameBorder(held.bytes) else { return }
      direction = frame.isMasked ? .toServer : .toClient
      tally.add(direction)
      mode = frame.length == 0 ? .border : .frame(frame.length)
      release(listener, isFrame: true)
    }
  }

  /// An empty line ends a head (RFC 9112 §2.1). A body may follow a head that asks for no upgrade;
  /// its length is not worked out here.
  private mutating func endHead(_ listener: any Listener) {
    let count = held.count
    guard held.bytes.byte(at: count - 1) == 0x0A else { return }
    let isEnd =
      held.bytes.byte(at: count - 2) == 0x0A
      || count > 2 && held.bytes.byte(at: count - 2) == 0x0D
        && held.bytes.byte(at: count - 3) == 0x0A
    if !isEnd && count < limits.headBytes { return }
    tally.heads += 1
    let small = held.bytes.copied().map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    let isUpgrade = small.firstRange(of: Array("\nupgrade: websocket".utf8)) != nil
    mode = isEnd && isUpgrade ? .border : .rest
    release(listener)
  }

  /// Passes on what is held. Its first bytes show the direction if nothing else does.
  private mutating func release(_ listener: any Listener, isFrame: Bool = false) {
    if held.isEmpty { return }
    if !isFrame {
      if held.bytes.starts(with: "HTTP/") {
        direction = .toClient
      } else if HTTPStart.recognise(held.bytes) != false {
        direction = .toServer
      } else {
        let isMasked = held.count > 1 && held.bytes.byte(at: 1) & 0x80 != 0
        direction = isMasked ? .toServer : .toClient
      }
    }
    let bytes = held
    held = Scratch()
    pass(bytes.bytes, heldAt, listener)
  }

  private mutating func pass(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if opensConnection == nil { opensConnection = HTTPStart.recognise(bytes) == true }
    var lent = delivery
    lent.origin.direction = direction
    lent.origin.flow = opensConnection! ? flow : 0
    above.receive(bytes, lent, listener)
  }
}
