// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import TapTraffic

/// Two consecutive WAMP sessions, with credentials in every place that can have some.
public struct SecretSession: Sendable {
  public enum Serializer: String, CaseIterable, Sendable {
    case json, msgpack, cbor, ubjson, flatbuffers
  }

  private typealias Said = (direction: Direction, item: Item)

  public let serializer: Serializer
  /// The credentials: letters and digits that occur nowhere else.
  public let secrets: [String]
  public let messages: [(direction: Direction, bytes: [UInt8])]

  public init(_ serializer: Serializer, _ random: inout some RandomNumberGenerator) {
    let secrets = (0..<10).map { _ in Self.credential(&random) }
    (self.serializer, self.secrets) = (serializer, secrets)
    messages =
      serializer == .flatbuffers
      ? Self.flatBuffers(secrets)
      : Self.session(secrets).map { direction, item in
        switch serializer {
        case .json: (direction, Array(item.json.utf8))
        case .msgpack: (direction, item.messagePack)
        case .cbor: (direction, item.cbor)
        default: (direction, item.ubjson)
        }
      }
  }

  public var subprotocol: String { "wamp.2.\(serializer.rawValue)" }
  /// The opcode of its frames (RFC 6455 §5.2).
  public var opcode: UInt8 { serializer == .json ? 1 : 2 }

  /// The credentials of which six consecutive characters occur in the output as text, hexadecimal,
  /// or base64.
  public func shown(in output: String) -> [String] {
    let readable = Self.readable(output)
    return secrets.filter { secret in
      let letters = Array(secret)
      return (0...letters.count - 6).contains { start in
        readable.contains(String(letters[start..<start + 6]))
      }
    }
  }

  private static func credential(_ random: inout some RandomNumberGenerator) -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String((0..<18).map { _ in letters.randomElement(using: &random)! })
  }

  private static func session(_ secrets: [String]) -> [Said] {
    func text(_ place: Int) -> Item { .text(secrets[place]) }
    func login(_ ticket: Int, _ session: UInt32) -> [Said] {
      [
        (
          .toServer,
          .list([
            .number(1), .text("realm1"),
            .map([
              ("roles", .map([("caller", .map([])), ("subscriber", .map([]))])),
              ("authmethods", .list([.text("ticket")])), ("authid", .text("joe")),
              ("authextra", .map([("device", text(1)), ("api_key", text(2))])),
            ]),
          ])
        ),
        (.toClient, .list([.number(4), .text("ticket"), .map([])])),
        (.toServer, .list([.number(5), text(ticket), .map([])])),
        (
          .toClient,
          .list([
            .number(2), .number(session),
            .map([
              ("roles", .map([("dealer", .map([])), ("broker", .map([]))])),
              ("resume-token", text(3)), ("cookie", text(4)),
            ]),
          ])
        ),
      ]
    }
    func call(_ request: UInt32, _ keywords: Item) -> Said {
      (
        .toServer,
        .list([
          .number(48), .number(request), .map([]), .text("com.user.login"), .list([]), keywords,
        ])
      )
    }
    func result(_ request: UInt32, _ argument: Item) -> Said {
      (.toClient, .list([.number(50), .number(request), .map([]), .list([argument])]))
    }
    return login(0, 88)
      + [
        call(1, .map([("user", .text("joe")), ("password", text(5))])),
        result(1, .map([("token", text(6)), ("user", .text("joe"))])),
        (
          .toServer,
          .list([
            .number(48), .number(2), .map([]), .text("wamp.session.get"), .list([.number(88)]),
          ])
        ),
        result(
          2,
          .map([
            ("session", .number(88)),
            ("transport", .map([("headers", .map([("x-key", text(7))]))])),
          ])),
        (.toServer, .list([.number(6), .map([]), .text("wamp.close.normal")])),
        (.toClient, .list([.number(6), .map([]), .text("wamp.close.goodbye_and_out")])),
      ] + login(8, 89)
      + [
        call(1, .map([("user", .text("joe")), ("password", text(9))])), result(1, .text("welcome")),
      ]
  }

  private static func flatBuffers(_ secrets: [String]) -> [(Direction, [UInt8])] {
    func login(_ ticket: Int) -> [(Direction, [UInt8])] {
      [
        (
          .toServer,
          FlatBufferNode.message(
            1,
            [
              1: .table([1: .table([:])]), 2: .string("realm1"), 3: .octets([1]), 4: .string("joe"),
            ])
        ),
        (.toClient, FlatBufferNode.message(4, [1: .u8(1)])),
        (.toServer, FlatBufferNode.message(5, [1: .string(secrets[ticket])])),
        (.toClient, FlatBufferNode.message(2, [0: .u64(88), 1: .table([0: .table([:])])])),
      ]
    }
    let keywords = Item.map([("password", .text(secrets[5]))]).cbor
    let call = FlatBufferNode.message(
      48, [1: .u64(1), 2: .string("com.user.login"), 4: .octets(keywords)])
    return login(0) + [(.toServer, call)] + login(8) + [(.toServer, call)]
  }

  /// The text, with its hexadecimal digits and base64 decoded.
  private static func readable(_ text: String) -> String {
    var hex: [UInt8] = []
    for line in text.split(separator: "\n") where line.hasPrefix("    0") {
      let digits = line.dropFirst(10).prefix(48).split(separator: " ")
      hex += digits.compactMap { UInt8($0, radix: 16) }
    }
    let base64 = text.components(separatedBy: #"{"base64":""#).dropFirst().map { part in
      let octets = Data(base64Encoded: String(part.prefix { $0 != "\"" })) ?? Data()
      return String(decoding: octets, as: Unicode.UTF8.self)
    }
    return ([text, String(decoding: hex, as: Unicode.UTF8.self)] + base64).joined(separator: "\n")
  }
}
