// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The parameters of permessage-deflate in an offer or an answer (RFC 7692 §7.1).
struct DeflateParameters {
  /// A broken rule, in words, and its section.
  struct Fault {
    var text: String
    var source: String
  }

  static let name = "permessage-deflate"

  private static let serverNoTakeover = "server_no_context_takeover"
  private static let clientNoTakeover = "client_no_context_takeover"
  private static let serverBits = "server_max_window_bits"
  private static let clientBits = "client_max_window_bits"

  /// By name; the value is empty where there is none.
  private var values: [String: String] = [:]
  /// Rules that the parameters break by themselves.
  private(set) var faults: [Fault] = []

  /// - Parameters:
  ///   - element: one element of the extensions list, including the name.
  ///   - isAnswer: it is the server's answer, not an offer.
  init(_ element: [UInt8], isAnswer: Bool) {
    for parameter in Head.split(element, at: 0x3B).dropFirst() {
      let parts = Head.split(parameter, at: 0x3D)
      let name = Head.lowered(parts[0])
      let value = parts.count > 1 ? Self.text(parts[1].filter { $0 != .quote }) : ""
      if let section = Self.section(name, value, isAnswer: isAnswer) {
        faults.append(
          Fault(
            text: "permessage-deflate has a parameter that is not allowed: \(Self.text(parameter))",
            source: "RFC 7692 \(section)"))
      } else if values[name] != nil {
        faults.append(
          Fault(text: "permessage-deflate has \(name) twice", source: "RFC 7692 §7.1"))
      } else {
        values[name] = value
      }
    }
  }

  /// The section of the rule that a parameter's name or value breaks; nil if it is allowed.
  private static func section(_ name: String, _ value: String, isAnswer: Bool) -> String? {
    switch name {
    case serverNoTakeover: value.isEmpty ? nil : "§7.1.1.1"
    case clientNoTakeover: value.isEmpty ? nil : "§7.1.1.2"
    case serverBits: bits(value) == nil ? "§7.1.2.1" : nil
    // An offer may leave the value to the server.
    case clientBits: bits(value) != nil || value.isEmpty && !isAnswer ? nil : "§7.1.2.2"
    default: "§7.1"
    }
  }

  /// RFC 7692 §7.1.2.1: 8 to 15, without leading zeros.
  private static func bits(_ value: String) -> Int32? {
    guard value.utf8.allSatisfy({ $0.isDigit }), value.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int32(value).flatMap { (8...15).contains($0) ? $0 : nil }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: Unicode.UTF8.self)
  }

  /// What is in force after an answer with these parameters.
  var agreed: Opening.Deflate {
    var deflate = Opening.Deflate()
    deflate.serverKeepsContext = values[Self.serverNoTakeover] == nil
    deflate.clientKeepsContext = values[Self.clientNoTakeover] == nil
    if let bits = values[Self.serverBits].flatMap(Self.bits) { deflate.serverWindowBits = bits }
    if let bits = values[Self.clientBits].flatMap(Self.bits) { deflate.clientWindowBits = bits }
    return deflate
  }

  /// Why an answer does not fit this offer; nil when it does.
  func misfit(_ answer: DeflateParameters) -> Fault? {
    if let fault = faults.first {
      return Fault(
        text: "the server accepts an offer that it has to decline: \(fault.text)",
        source: fault.source)
    }
    // RFC 7692 §7.1.2.2: only a client that offers it supports a smaller window.
    if answer.values[Self.clientBits] != nil && values[Self.clientBits] == nil {
      return Fault(
        text: "the server answers with \(Self.clientBits), which the client did not offer",
        source: "RFC 7692 §7.1.2.2")
    }
    // A server that accepts the offer must include the parameter.
    if values[Self.serverNoTakeover] != nil && answer.values[Self.serverNoTakeover] == nil {
      return Fault(
        text: "the server answers without \(Self.serverNoTakeover), which the client asked for",
        source: "RFC 7692 §7.1.1.1")
    }
    // The server may choose the same value or a smaller one.
    if let most = values[Self.serverBits].flatMap(Self.bits) {
      guard let chosen = answer.values[Self.serverBits] else {
        return Fault(
          text: "the server answers without \(Self.serverBits), which the client asked for",
          source: "RFC 7692 §7.1.2.1")
      }
      if let bits = Self.bits(chosen), bits > most {
        return Fault(
          text:
            "the server answers with \(Self.serverBits)=\(bits), and the client asked for \(most)",
          source: "RFC 7692 §7.1.2.1")
      }
    }
    return nil
  }
}
