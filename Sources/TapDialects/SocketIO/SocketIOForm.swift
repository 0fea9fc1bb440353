// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Whether the JSON of a packet is what its kind wants (socket.io-protocol, "Packet types").
struct SocketIOForm {
  /// Which rule it breaks; nil when it breaks none.
  var fault: StaticString?
  /// Of a packet whose id was a value of its own.
  var ackID: UInt64?

  /// - Parameter elements: what a scan of its JSON has found.
  init(_ packet: SocketIOPacket, _ isArray: Bool, _ elements: JSONElements) {
    let hasData = !packet.data.isEmpty
    switch packet.kind {
    case .event, .binaryEvent:
      if !hasData || !isArray || elements.isEmpty {
        fault = "an event needs a list with its name"
      } else if elements[0].kind != .string && elements[0].kind != .natural {
        fault = "the name of an event must be a string"
      }
    case .ack, .binaryAck:
      if !hasData || !isArray {
        fault = "an ack needs a list"
      } else if packet.ackID.isEmpty {
        fault = "an ack needs the id of its event"
      }
    case .connect:
      if hasData && (isArray || elements[0].kind != .object) {
        fault = "what is sent with a CONNECT must be an object"
      }
    case .connectError:
      if !hasData || isArray || elements[0].kind != .object && elements[0].kind != .string {
        fault = "an error must be an object or a string"
      }
    // Some servers refuse a namespace with a DISCONNECT that says why.
    case .disconnect: break
    }
  }
}
