// SPDX-License-Identifier: Apache-2.0

/// A message of Autobahn's FlatBuffers schema, and how its fields map to the elements of the WAMP
/// list.
struct FlatBufferTable: Sendable {
  enum Element: Sendable {
    case field(FlatBufferField)
    /// A dictionary of the fields that are there.
    case dictionary([FlatBufferField])
    /// The same, but left out when it is empty.
    case optionalDictionary([FlatBufferField])
    /// Arguments and keyword arguments; the slot of the first. The opaque payload and the
    /// attributes of payload passthru follow in the next slots.
    case payload(Int)
  }

  /// The type code of WAMP.
  var code: Int
  var elements: [Element]
  /// How many slots the schema has.
  var slots: Int

  init(_ code: Int, slots: Int, _ elements: [Element]) {
    (self.code, self.slots, self.elements) = (code, slots, elements)
  }

  /// The WAMP names of the schema's enumeration values, by number.
  static let authMethods: [StaticString] = ["", "ticket", "wampcra", "scram", "cryptosign"]
  static let match: [StaticString] = ["exact", "prefix", "wildcard"]
  static let invoke: [StaticString] = ["single", "first", "last", "roundrobin", "random"]
  static let mode: [StaticString] = ["skip", "kill", "killnowait"]
  static let schemes: [StaticString] = ["none", "cryptobox", "mqtt", "xbr", "opaque"]
  static let serializers: [StaticString] = [
    "transport", "json", "msgpack", "cbor", "ubjson", "opaque", "flatbuffers", "flexbuffers",
  ]
  static let ciphers: [StaticString] = ["null", "xsalsa20poly1305", "aes256gcm"]

  /// The four attributes of payload passthru; the slot of the first.
  private static func passthru(_ slot: Int) -> [FlatBufferField] {
    [
      FlatBufferField(slot, "ppt_scheme", .word(schemes)),
      FlatBufferField(slot + 1, "ppt_serializer", .word(serializers)),
      FlatBufferField(slot + 2, "ppt_cipher", .word(ciphers)),
      FlatBufferField(slot + 3, "ppt_keyid", .string),
    ]
  }

  /// Three fields that identify a peer.
  private static func peer(
    _ slot: Int, _ session: StaticString, _ authid: StaticString, _ authrole: StaticString
  ) -> [FlatBufferField] {
    [
      FlatBufferField(slot, session, .natural(8)), FlatBufferField(slot + 1, authid, .string),
      FlatBufferField(slot + 2, authrole, .string),
    ]
  }

  private static func field(
    _ slot: Int, _ name: StaticString, _ kind: FlatBufferField.Kind
  ) -> FlatBufferField {
    FlatBufferField(slot, name, kind)
  }

  private static func id(_ slot: Int) -> Element { .field(field(slot, "", .natural(8))) }
  private static func uri(_ slot: Int) -> Element { .field(field(slot, "", .string)) }
  private static func forwarded(_ slot: Int) -> FlatBufferField {
    field(slot, "forward_for", .principals)
  }

  /// The table of a union tag; nil when the schema has none.
  static func named(by tag: UInt8) -> FlatBufferTable? { all.first { $0.tag == tag } }

  /// The tag is one byte, in which 337 (EVENT_RECEIVED) is 37.
  private var tag: UInt8 { code == 337 ? 37 : UInt8(code) }

  static let all: [FlatBufferTable] = handshake + pubSub + calls

  private static let handshake = [
    FlatBufferTable(
      1, slots: 10,
      [
        uri(2),
        .dictionary([
          field(1, "roles", .roles(FlatBufferField.Role.client)),
          field(3, "authmethods", .words(authMethods)), field(4, "authid", .string),
          field(5, "authrole", .string), field(6, "authextra", .map),
          field(7, "resumable", .bool), field(8, "resume-session", .natural(8)),
          field(9, "resume-token", .string),
        ]),
      ]),
    FlatBufferTable(
      2, slots: 11,
      [
        id(0),
        .dictionary([
          field(1, "roles", .roles(FlatBufferField.Role.router)), field(2, "realm", .string),
          field(3, "authid", .string), field(4, "authrole", .string),
          field(5, "authmethod", .word(authMethods)), field(6, "authprovider", .string),
          field(7, "authextra", .map), field(8, "resumed", .bool), field(9, "resumable", .bool),
          field(10, "resume_token", .string),
        ]),
      ]),
    FlatBufferTable(3, slots: 3, [.dictionary([field(2, "message", .string)]), uri(1)]),
    FlatBufferTable(
      4, slots: 3,
      [.field(field(1, "", .word(authMethods))), .field(field(2, "", .map))]),
    FlatBufferTable(5, slots: 3, [uri(1), .field(field(2, "", .map))]),
    FlatBufferTable(
      6, slots: 4,
      [.dictionary([field(2, "message", .string), field(3, "resumable", .bool)]), uri(1)]),
    FlatBufferTable(
      8, slots: 12,
      [
        .field(field(1, "", .natural(2))), id(2), .dictionary(passthru(7) + [forwarded(11)]),
        uri(3), .payload(4),
      ]),
  ]

  private static let pubSub = [
    FlatBufferTable(
      16, slots: 21,
      [
        id(1),
        .dictionary(
          [
            field(10, "acknowledge", .bool), field(11, "exclude_me", .bool),
            field(12, "exclude", .naturals), field(13, "exclude_authid", .strings),
            field(14, "exclude_authrole", .strings), field(15, "eligible", .naturals),
            field(16, "eligible_authid", .strings), field(17, "eligible_authrole", .strings),
            field(18, "retain", .bool), field(19, "transaction_hash", .string), forwarded(20),
          ] + passthru(6)),
        uri(2), .payload(3),
      ]),
    FlatBufferTable(17, slots: 3, [id(1), id(2)]),
    FlatBufferTable(
      32, slots: 5,
      [
        id(1),
        .dictionary([field(3, "match", .word(match)), field(4, "get_retained", .bool)]),
        uri(2),
      ]),
    FlatBufferTable(33, slots: 3, [id(1), id(2)]),
    FlatBufferTable(34, slots: 3, [id(1), id(2)]),
    FlatBufferTable(
      35, slots: 4,
      [
        id(1),
        .optionalDictionary([
          field(2, "subscription", .natural(8)), field(3, "reason", .string),
        ]),
      ]),
    FlatBufferTable(
      36, slots: 18,
      [
        id(1), id(2),
        .dictionary(
          peer(10, "publisher", "publisher_authid", "publisher_authrole") + [
            field(13, "topic", .string), field(14, "retained", .bool),
            field(15, "transaction_hash", .string), field(16, "acknowledge", .bool),
            forwarded(17),
          ] + passthru(6)),
        .payload(3),
      ]),
    FlatBufferTable(337, slots: 3, [id(1), .optionalDictionary([forwarded(2)])]),
  ]

  private static let calls = [
    FlatBufferTable(
      48, slots: 17,
      [
        id(1),
        .dictionary(
          [
            field(10, "timeout", .natural(4)), field(11, "receive_progress", .bool),
            field(12, "transaction_hash", .string),
          ] + peer(13, "caller", "caller_authid", "caller_authrole") + [forwarded(16)]
            + passthru(6)),
        uri(2), .payload(3),
      ]),
    FlatBufferTable(
      49, slots: 4,
      [
        id(1),
        .dictionary([FlatBufferField(2, "mode", .word(mode), absent: "skip"), forwarded(3)]),
      ]),
    FlatBufferTable(50, slots: 14, [id(1), .dictionary(outcome), .payload(2)]),
    FlatBufferTable(
      64, slots: 7,
      [
        id(1),
        .dictionary([
          field(3, "match", .word(match)), field(4, "invoke", .word(invoke)),
          field(5, "concurrency", .natural(2)), field(6, "force_reregister", .bool),
        ]),
        uri(2),
      ]),
    FlatBufferTable(65, slots: 3, [id(1), id(2)]),
    FlatBufferTable(66, slots: 3, [id(1), id(2)]),
    FlatBufferTable(
      67, slots: 4,
      [
        id(1),
        .optionalDictionary([
          field(2, "registration", .natural(8)), field(3, "reason", .string),
        ]),
      ]),
    FlatBufferTable(
      68, slots: 18,
      [
        id(1), id(2),
        .dictionary(
          [
            field(10, "procedure", .string), field(11, "timeout", .natural(4)),
            field(12, "receive_progress", .bool), field(13, "transaction_hash", .string),
          ] + peer(14, "caller", "caller_authid", "caller_authrole") + [forwarded(17)]
            + passthru(6)),
        .payload(3),
      ]),
    FlatBufferTable(
      69, slots: 5,
      [
        id(1),
        .dictionary([
          FlatBufferField(2, "mode", .word(mode), absent: "kill"), field(3, "reason", .string),
          forwarded(4),
        ]),
      ]),
    FlatBufferTable(70, slots: 14, [id(1), .dictionary(outcome), .payload(2)]),
  ]

  /// Of RESULT and YIELD.
  private static let outcome =
    [field(9, "progress", .bool)] + peer(10, "callee", "callee_authid", "callee_authrole")
    + [forwarded(13)] + passthru(5)
}
