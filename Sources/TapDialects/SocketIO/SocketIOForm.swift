// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Checks that the JSON of a packet fits its kind (socket.io-protocol, "Packet types").
struct SocketIOForm {
  /// The violated rule; nil when there is none.
  var fault: StaticString?
  /// The ack id, if the packet format has it as a separate value.
  var ackID: UInt64?

  /// - Parameter elements: the scanned elements of its JSON.
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
    // Some servers refuse a namespace with a DISCONNECT that has a reason.
    case .disconnect: break
    }
  }
}
