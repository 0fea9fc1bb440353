// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A line of ejabberd about a connection of MQTT:
/// `… <0.503.0>@mod_mqtt_session:handle_info/2:243 Got MQTT packet:`.
struct EjabberdHead {
  enum Words {
    /// The record of a packet follows.
    case packet(Direction)
    /// Why a session or connection is closed.
    case closing([UInt8])
  }

  static let module: StaticString = ">@mod_mqtt_session:"

  /// The process of the connection, `<0.503.0>`.
  let process: String
  let words: Words

  init?(_ line: RawSpan) {
    guard let at = line.firstIndex(of: Self.module),
      let start = line.extracting(0..<at).copied().lastIndex(of: UInt8(ascii: "<")),
      let end = line.firstIndex(of: .space, from: at)
    else { return nil }
    process = String(decoding: line.extracting(start..<at + 1).copied(), as: Unicode.UTF8.self)
    let text = line.dropping(end + 1)
    if text.equals("Got MQTT packet:") {
      words = .packet(.toServer)
    } else if text.equals("Send MQTT packet:") {
      words = .packet(.toClient)
    } else if text.starts(with: "Closing MQTT session for ")
      || text.starts(with: "Closing MQTT connection for "),
      let address = text.firstIndex(of: " from "),
      let colon = text.firstIndex(of: ": ", from: address)
    {
      words = .closing(text.dropping(colon + 2).copied())
    } else {
      return nil
    }
  }
}
