// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Splits the body of a polling request or response into packets, incrementally if its form allows
/// (engine.io-protocol, "HTTP long-polling").
struct EngineIOPayloadReader {
  private enum Form {
    /// Packets with a separator between them, from revision 4 on.
    case separated
    /// Packets with their lengths, up to revision 3.
    case lengths
    /// The binary form of revision 3: `00` or `01`, decimal digits as bytes, `ff`, the packet.
    case binary
    /// A JSONP script that calls a function with the payload as a string.
    case script
    /// A form with the payload in its field `d`.
    case form
  }

  private let query: EngineIOQuery
  private var form: Form
  private var pieces: BodyPieces
  /// The payload does not have the expected form.
  private(set) var isMalformed = false

  init(_ query: EngineIOQuery, limits: Limits) {
    (self.query, pieces) = (query, BodyPieces(limits: limits))
    form = Self.usualForm(query)
  }

  private static func usualForm(_ query: EngineIOQuery) -> Form {
    query.revision == .four ? .separated : .lengths
  }

  var isEmpty: Bool { pieces.held.isEmpty }

  var heldBytes: Int { pieces.held.count }

  /// The payload is larger than can be held.
  var isTooLarge: Bool { pieces.isTooLarge }

  /// A body of this media type begins.
  mutating func begin(_ contentType: [UInt8]) {
    let type = String(decoding: contentType, as: Unicode.UTF8.self).lowercased()
    if type.hasPrefix("application/octet-stream") && query.revision != .four {
      form = .binary
    } else if query.isScript {
      form = type.hasPrefix("application/x-www-form-urlencoded") ? .form : .script
    } else {
      form = Self.usualForm(query)
    }
  }

  /// The next bytes of the body.
  mutating func receive(
    _ bytes: RawSpan, _ take: (_ packet: RawSpan, _ isBinary: Bool) -> Void
  ) -> HTTPBodyUse {
    if form != .separated { return pieces.hold(bytes) }
    return pieces.split(bytes, at: EngineIOPayload.separator) {
      take($0, false)
      return true
    }
  }

  /// The body has ended: splits the rest of it.
  mutating func finish(_ take: (_ packet: RawSpan, _ isBinary: Bool) -> Void) {
    let body = pieces.held
    var text = Scratch()
    switch form {
    case .separated: take(body.bytes, false)
    case .lengths: isMalformed = !EngineIOPayload.eachMeasured(body.bytes) { take($0, false) }
    case .binary: isMalformed = !Self.eachBinary(body.bytes, take)
    case .script:
      isMalformed =
        !EngineIOScript.payload(ofScript: body.bytes, into: &text) || !each(text.bytes, take)
    case .form:
      isMalformed =
        !EngineIOScript.payload(ofForm: body.bytes, into: &text) || !each(text.bytes, take)
    }
  }

  /// Splits the whole payload of a script or a form; false when its lengths do not fit.
  private func each(
    _ payload: RawSpan, _ take: (_ packet: RawSpan, _ isBinary: Bool) -> Void
  ) -> Bool {
    if query.revision != .four {
      return EngineIOPayload.eachMeasured(payload) { take($0, false) }
    }
    EngineIOPayload.eachRecord(payload) { take($0, false) }
    return true
  }

  private static func eachBinary(
    _ body: RawSpan, _ take: (_ packet: RawSpan, _ isBinary: Bool) -> Void
  ) -> Bool {
    var at = 0
    while at < body.byteCount {
      let kind = body.byte(at: at)
      var (end, length) = (at + 1, 0)
      while end < body.byteCount, body.byte(at: end) < 10, end - at < 10 {
        length = length * 10 + Int(body.byte(at: end))
        end += 1
      }
      guard kind < 2, end < body.byteCount, body.byte(at: end) == 0xFF, end > at + 1,
        length <= body.byteCount - end - 1
      else { return false }
      let packet = body.extracting((end + 1)..<(end + 1 + length))
      if !packet.isEmpty { take(packet, kind == 1) }
      at = end + 1 + length
    }
    return true
  }

  /// Drops held bytes, which will not be completed.
  ///
  /// - Returns: whether there were any.
  @discardableResult mutating func drop() -> Bool { pieces.drop() }

  /// Prepares for the next body.
  mutating func reset() {
    pieces.drop(skipping: false)
    isMalformed = false
  }
}
