// SPDX-License-Identifier: Apache-2.0

/// The parameters of permessage-deflate in an offer or in the answer to it (RFC 7692 §7.1), as far
/// as the one has to fit the other.
struct DeflateOffer {
  private static let serverNoTakeover = "server_no_context_takeover"
  private static let serverBits = "server_max_window_bits"
  private static let clientBits = "client_max_window_bits"

  /// By their names; empty for those without a value.
  private var values: [String: String] = [:]

  /// - Parameter element: of the list of extensions, its name included.
  init(_ element: [UInt8]) {
    for parameter in Head.split(element, at: 0x3B).dropFirst() {
      let parts = Head.split(parameter, at: 0x3D)
      let value = parts.count > 1 ? parts[1].filter { $0 != 0x22 } : []
      values[Head.lowered(parts[0])] = String(decoding: value, as: Unicode.UTF8.self)
    }
  }

  /// Why an answer cannot be one to this offer, in words; nil when it can.
  func misfit(_ answer: DeflateOffer) -> String? {
    // RFC 7692 §7.1.2.2: not every client can do with a smaller window.
    if answer.values[Self.clientBits] != nil && values[Self.clientBits] == nil {
      return "the server answers with \(Self.clientBits), which the client did not offer"
    }
    // RFC 7692 §7.1.1.1: who accepts the offer includes the parameter.
    if values[Self.serverNoTakeover] != nil && answer.values[Self.serverNoTakeover] == nil {
      return "the server answers without \(Self.serverNoTakeover), which the client asked for"
    }
    // RFC 7692 §7.1.2.1: the same or a smaller value.
    if let most = values[Self.serverBits].flatMap({ Int($0) }), (8...15).contains(most) {
      guard let chosen = answer.values[Self.serverBits] else {
        return "the server answers without \(Self.serverBits), which the client asked for"
      }
      if let bits = Int(chosen), bits > most {
        return
          "the server answers with \(Self.serverBits)=\(bits), and the client asked for \(most)"
      }
    }
    return nil
  }
}
