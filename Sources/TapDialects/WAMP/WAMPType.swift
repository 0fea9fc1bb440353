// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The message types of WAMP v2 and the layout of each (wamp-proto, "Message Codes and Direction").
struct WAMPType {
  var code: UInt64
  var name: StaticString
  /// How many elements the array may have, the code included.
  var arity: ClosedRange<Int>
  /// The kind of each element after the code, one letter each: `i` id · `z` id or 0 · `n` integer ·
  /// `d` dictionary · `u` URI · `s` string · `r` realm · `a` positional arguments · `k` keyword
  /// arguments.
  var elements: StaticString
  /// The usual kind of each element, four bits each, the code's lowest, packed as by the scanner.
  /// Messages that deviate are checked element by element.
  var kinds: UInt64
  /// Which elements are ids, one bit each.
  var ids: UInt8

  private init(
    _ code: UInt64, _ name: StaticString, _ arity: ClosedRange<Int>, _ elements: StaticString,
    _ kinds: UInt64, _ ids: UInt8
  ) {
    (self.code, self.name, self.arity, self.elements) = (code, name, arity, elements)
    (self.kinds, self.ids) = (kinds, ids)
  }

  /// The direction of messages that only one side sends ("Message Codes and Direction"); nil for
  /// those of both sides (ABORT, GOODBYE, HEARTBEAT, ERROR) and for other codes.
  static func direction(ofCode code: UInt64) -> Direction? {
    switch code {
    case WAMPCode.hello, WAMPCode.authenticate, WAMPCode.publish, WAMPCode.subscribe,
      WAMPCode.unsubscribe, WAMPCode.call, WAMPCode.cancel, WAMPCode.register, WAMPCode.unregister,
      WAMPCode.yield:
      .toServer
    case WAMPCode.welcome, WAMPCode.challenge, WAMPCode.published, WAMPCode.subscribed,
      WAMPCode.unsubscribed, WAMPCode.event, WAMPCode.result, WAMPCode.registered,
      WAMPCode.unregistered, WAMPCode.invocation, WAMPCode.interrupt:
      .toClient
    default: nil
    }
  }

  /// The direction of messages of this type, including the extension EVENT_RECEIVED; unknown when
  /// both sides send them.
  var direction: Direction {
    Self.direction(ofCode: code) ?? (code == WAMPCode.eventReceived ? .toServer : .unknown)
  }

  init?(code: UInt64) {
    switch code {
    case 1: self.init(1, "HELLO", 3...3, "rd", 0x23, 0)
    case 2: self.init(2, "WELCOME", 3...3, "id", 0x33, 2)
    case 3: self.init(3, "ABORT", 3...5, "duak", 0x1203, 0)
    case 4: self.init(4, "CHALLENGE", 3...3, "sd", 0x23, 0)
    case 5: self.init(5, "AUTHENTICATE", 3...3, "sd", 0x23, 0)
    case 6: self.init(6, "GOODBYE", 3...3, "du", 0x203, 0)
    case 7: self.init(7, "HEARTBEAT", 3...4, "nns", 0x2333, 0)
    case 8: self.init(8, "ERROR", 5...7, "niduak", 0x120333, 4)
    case 16: self.init(16, "PUBLISH", 4...6, "iduak", 0x12033, 2)
    case 17: self.init(17, "PUBLISHED", 3...3, "ii", 0x333, 6)
    case 32: self.init(32, "SUBSCRIBE", 4...4, "idu", 0x2033, 2)
    case 33: self.init(33, "SUBSCRIBED", 3...3, "ii", 0x333, 6)
    // Autobahn adds a fourth element to these two, for router-to-router links.
    case 34: self.init(34, "UNSUBSCRIBE", 3...4, "iid", 0x333, 6)
    case 66: self.init(66, "UNREGISTER", 3...4, "iid", 0x333, 6)
    // With request 0 and details, this is a revocation by the router.
    case 35: self.init(35, "UNSUBSCRIBED", 2...3, "zd", 0x33, 0)
    case 67: self.init(67, "UNREGISTERED", 2...3, "zd", 0x33, 0)
    case 36: self.init(36, "EVENT", 4...6, "iidak", 0x10333, 6)
    case 48: self.init(48, "CALL", 4...6, "iduak", 0x12033, 2)
    case 49: self.init(49, "CANCEL", 3...3, "id", 0x33, 2)
    case 50: self.init(50, "RESULT", 3...5, "idak", 0x1033, 2)
    case 64: self.init(64, "REGISTER", 4...4, "idu", 0x2033, 2)
    case 65: self.init(65, "REGISTERED", 3...3, "ii", 0x333, 6)
    case 68: self.init(68, "INVOCATION", 4...6, "iidak", 0x10333, 6)
    case 69: self.init(69, "INTERRUPT", 3...3, "id", 0x33, 2)
    case 70: self.init(70, "YIELD", 3...5, "idak", 0x1033, 2)
    case 337: self.init(337, "EVENT_RECEIVED", 2...2, "i", 0x33, 2)
    default: return nil
    }
  }

  /// The letter of the element at `index` of the array (1 is the first after the code).
  func letter(_ index: Int) -> UInt8 { elements.utf8Start[index - 1] }

  /// Whether the element at `index` is a number.
  func isNumber(_ index: Int) -> Bool {
    switch letter(index) {
    case UInt8(ascii: "i"), UInt8(ascii: "z"), UInt8(ascii: "n"): true
    default: false
    }
  }

  /// The kind that a letter stands for, in words.
  static func description(_ letter: UInt8) -> StaticString {
    switch letter {
    case UInt8(ascii: "i"): "an id"
    case UInt8(ascii: "z"): "an id or 0"
    case UInt8(ascii: "n"): "an integer"
    case UInt8(ascii: "d"), UInt8(ascii: "k"): "a dictionary"
    case UInt8(ascii: "u"): "a URI"
    case UInt8(ascii: "a"): "a list"
    default: "a string"
    }
  }
}
