// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

extension SocketIOPacket {
  /// The rule of its kind that its JSON violates (socket.io-protocol, "Packet types").
  ///
  /// - Parameter scanner: has scanned its JSON, if it has any.
  func fault(_ scanner: borrowing JSONScanner) -> StaticString? {
    let (hasData, isArray) = (!data.isEmpty, scanner.isArray)
    switch kind {
    case .event, .binaryEvent:
      if !hasData || !isArray || scanner.elements.isEmpty {
        return "an event needs a list with its name"
      }
      let isName = scanner.elements[0].kind == .string || scanner.elements[0].kind == .natural
      return isName ? nil : "the name of an event must be a string"
    case .ack, .binaryAck:
      if !hasData || !isArray { return "an ack needs a list" }
      return ackID == nil ? "an ack needs the id of its event" : nil
    case .connect:
      if !hasData || !isArray && scanner.elements[0].kind == .object { return nil }
      return "what is sent with a CONNECT must be an object"
    case .connectError:
      let isError =
        hasData && !isArray
        && (scanner.elements[0].kind == .object || scanner.elements[0].kind == .string)
      return isError ? nil : "an error must be an object or a string"
    // Some servers refuse a namespace with a DISCONNECT that has a reason.
    case .disconnect: return nil
    }
  }
}
