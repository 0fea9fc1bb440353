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

  /// The parameters that RFC 7692 §7.1 defines, by the sections that do.
  private enum Parameter: CaseIterable, CustomStringConvertible {
    case serverNoTakeover, clientNoTakeover, serverBits, clientBits

    var name: StaticString {
      switch self {
      case .serverNoTakeover: "server_no_context_takeover"
      case .clientNoTakeover: "client_no_context_takeover"
      case .serverBits: "server_max_window_bits"
      case .clientBits: "client_max_window_bits"
      }
    }

    var description: String { "\(name)" }

    var section: String {
      switch self {
      case .serverNoTakeover: "§7.1.1.1"
      case .clientNoTakeover: "§7.1.1.2"
      case .serverBits: "§7.1.2.1"
      case .clientBits: "§7.1.2.2"
      }
    }

    /// Whether the parameter may come without a value. An offer may leave the bits to the server.
    func mayLackValue(isAnswer: Bool) -> Bool {
      self == .clientBits ? !isAnswer : self != .serverBits
    }

    var mayHaveValue: Bool { self == .serverBits || self == .clientBits }
  }

  /// The parameters that are there and allowed; the bits are 0 where there is no value.
  private var values: [(parameter: Parameter, bits: Int32)] = []
  /// Rules that the parameters break by themselves.
  private(set) var faults: [Fault] = []

  /// - Parameters:
  ///   - element: one element of the extensions list, including the name.
  ///   - isAnswer: it is the server's answer, not an offer.
  init(_ element: RawSpan, isAnswer: Bool) {
    var isName = true
    Head.split(element, at: 0x3B) {
      if !isName { add($0, isAnswer: isAnswer) }
      isName = false
    }
  }

  /// - Parameter text: `server_max_window_bits=10`.
  private mutating func add(_ text: RawSpan, isAnswer: Bool) {
    let equals = text.firstIndex(of: 0x3D) ?? text.byteCount
    let name = Head.trimmed(text[ByteRange(0, equals)])
    let value = Head.unquoted(Head.trimmed(text.dropping(min(equals + 1, text.byteCount))))
    let known = Parameter.allCases.first { name.equals(lowered: $0.name) }
    guard let known,
      let bits = value.isEmpty
        ? (known.mayLackValue(isAnswer: isAnswer) ? 0 : nil)
        : (known.mayHaveValue ? Self.bits(value) : nil)
    else {
      let shown = String(decoding: text.copied(), as: Unicode.UTF8.self)
      return faults.append(
        Fault(
          text: "permessage-deflate has a parameter that is not allowed: \(shown)",
          source: "RFC 7692 \(known?.section ?? "§7.1")"))
    }
    guard self[known] == nil else {
      return faults.append(
        Fault(text: "permessage-deflate has \(known) twice", source: "RFC 7692 §7.1"))
    }
    values.append((known, bits))
  }

  /// The bits of a parameter: 0 where it has no value, nil where it is absent.
  private subscript(parameter: Parameter) -> Int32? {
    values.first { $0.parameter == parameter }?.bits
  }

  /// RFC 7692 §7.1.2.1: 8 to 15, without leading zeros.
  private static func bits(_ value: RawSpan) -> Int32? {
    guard value.byteCount <= 2, value.byte(at: 0) != UInt8(ascii: "0") else { return nil }
    var bits: Int32 = 0
    for at in 0..<value.byteCount {
      guard value.byte(at: at).isDigit else { return nil }
      bits = bits * 10 + Int32(value.byte(at: at)) - 0x30
    }
    return (8...15).contains(bits) ? bits : nil
  }

  /// What is in force after an answer with these parameters.
  var agreed: Opening.Deflate {
    var deflate = Opening.Deflate()
    deflate.serverKeepsContext = self[.serverNoTakeover] == nil
    deflate.clientKeepsContext = self[.clientNoTakeover] == nil
    if let bits = self[.serverBits] { deflate.serverWindowBits = bits }
    if let bits = self[.clientBits], bits > 0 { deflate.clientWindowBits = bits }
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
    if answer[.clientBits] != nil && self[.clientBits] == nil {
      return Fault(
        text: "the server answers with \(Parameter.clientBits), which the client did not offer",
        source: "RFC 7692 §7.1.2.2")
    }
    // A server that accepts the offer must include the parameter.
    if self[.serverNoTakeover] != nil && answer[.serverNoTakeover] == nil {
      return Fault(
        text:
          "the server answers without \(Parameter.serverNoTakeover), which the client asked for",
        source: "RFC 7692 §7.1.1.1")
    }
    // The server may choose the same value or a smaller one.
    if let most = self[.serverBits] {
      guard let bits = answer[.serverBits] else {
        return Fault(
          text: "the server answers without \(Parameter.serverBits), which the client asked for",
          source: "RFC 7692 §7.1.2.1")
      }
      if bits > most {
        return Fault(
          text: "the server answers with \(Parameter.serverBits)=\(bits), "
            + "and the client asked for \(most)",
          source: "RFC 7692 §7.1.2.1")
      }
    }
    return nil
  }
}
