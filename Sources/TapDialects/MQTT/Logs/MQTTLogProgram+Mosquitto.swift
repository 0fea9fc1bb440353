// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// The broker with `-v`, or with `log_type all`. It logs the packets of all its clients, without
  /// payloads.
  ///
  ///     1795217929: Received PUBLISH from pub (d0, q1, r0, m2, 'a/b', ... (2 bytes))
  static let mosquitto = MQTTLogProgram(
    title: "mosquitto",
    forms: [
      .certain(
        "New client connected from {word} as {client} (p{version}, c{clean}, k{keepAlive}).",
        .connect, .toServer),
      .certain(
        "New client connected from {word} as {client} (p{version}, c{clean}, k{keepAlive}, "
          + "u'{user}').", .connect, .toServer),
      .certain(
        "New bridge connected from {word} as {client} (p{version}, c{clean}, k{keepAlive}).",
        .connect, .toServer),
      .certain(
        "New bridge connected from {word} as {client} (p{version}, c{clean}, k{keepAlive}, "
          + "u'{user}').", .connect, .toServer),
      // Before 1.6.
      .certain(
        "New client connected from {word} as {client} (c{clean}, k{keepAlive}).", .connect,
        .toServer),
      .certain(
        "New client connected from {word} as {client} (c{clean}, k{keepAlive}, u'{user}').",
        .connect, .toServer),
      .adds("No will message specified.", to: .connect),
      .adds(
        "Will message specified ({willBytes} bytes) (r{willRetain}, q{willQoS}).", to: .connect),
      .adds("\t{willTopic}", to: .connect),
      .certain("Sending CONNACK to {client} ({present}, {code})", .connack, .toClient),
      .certain(
        "Received PUBLISH from {client} (d{dup}, q{qos}, r{retain}, m{id}, '{topic}', ... "
          + "({bytes} bytes))", .publish, .toServer),
      .certain(
        "Denied PUBLISH from {client} (d{dup}, q{qos}, r{retain}, m{id}, '{topic}', ... "
          + "({bytes} bytes))", .publish, .toServer),
      .certain(
        "Sending PUBLISH to {client} (d{dup}, q{qos}, r{retain}, m{id}, '{topic}', ... "
          + "({bytes} bytes))", .publish, .toClient),
      .withdraws("Dropping too large outgoing PUBLISH for {client} ({bytes} bytes)", .publish),
      .packet("Sending PUBACK to {client} (m{id}, rc{code})", .puback, .toClient),
      .packet("Sending PUBREC to {client} (m{id}, rc{code})", .pubrec, .toClient),
      .packet("Sending PUBREL to {client} (m{id})", .pubrel, .toClient),
      .packet("Sending PUBCOMP to {client} (m{id})", .pubcomp, .toClient),
      .packet("Received PUBACK from {client} (Mid: {id}, RC:{code})", .puback, .toServer),
      .packet("Received PUBCOMP from {client} (Mid: {id}, RC:{code})", .pubcomp, .toServer),
      .packet("Received PUBREC from {client} (Mid: {id})", .pubrec, .toServer),
      .packet("Sending PUBACK to {client} (Mid: {id})", .puback, .toClient),
      .packet("Sending PUBREC to {client} (Mid: {id})", .pubrec, .toClient),
      .packet("Sending PUBREL to {client} (Mid: {id})", .pubrel, .toClient),
      .packet("Sending PUBCOMP to {client} (Mid: {id})", .pubcomp, .toClient),
      .packet("Received PUBACK from {client} (Mid: {id})", .puback, .toServer),
      .packet("Received PUBCOMP from {client} (Mid: {id})", .pubcomp, .toServer),
      .packet("Received PUBREL from {client} (Mid: {id})", .pubrel, .toServer),
      .packet("Received SUBSCRIBE from {client}", .subscribe, .toServer),
      .adds("\t{filter} (QoS {filterQoS})", to: .subscribe),
      .adds("{client} {granted} {rest}", to: .subscribe),
      .packet("Sending SUBACK to {client}", .suback, .toClient),
      .packet("Received UNSUBSCRIBE from {client}", .unsubscribe, .toServer),
      .adds("\t{filter}", to: .unsubscribe),
      .adds("{client} {rest}", to: .unsubscribe),
      .packet("Sending UNSUBACK to {client}", .unsuback, .toClient),
      // Ahead of CONNECT, which is printed when the client is known.
      .packet("Received AUTH from {client} (rc{code}, {authMethod})", .auth, .toServer),
      .packet("Sending AUTH to {client} (rc{code}, {authMethod})", .auth, .toClient),
      .packet("Received PINGREQ from {client}", .pingreq, .toServer),
      .packet("Sending PINGRESP to {client}", .pingresp, .toClient),
      .packet("Received DISCONNECT from {client}", .disconnect, .toServer),
      .packet("Sending DISCONNECT to {client} (rc{code})", .disconnect, .toClient),
      // Connections to another broker, on which it is the client.
      .bridges("Bridge {client} doing local SUBSCRIBE on topic {rest}"),
      .bridge("Bridge {client} sending CONNECT", .connect, .toServer),
      .bridge("Received CONNACK on connection {client}.", .connack, .toClient),
      .bridge(
        "Bridge {client} sending SUBSCRIBE (Mid: {id}, Topic: {filter}, QoS: {filterQoS}, "
          + "Options: {number})", .subscribe, .toServer),
      .bridge("Received SUBACK from {client}", .suback, .toClient),
      .bridge(
        "Bridge {client} sending UNSUBSCRIBE (Mid: {id}, Topic: {filter})", .unsubscribe,
        .toServer),
      .bridge("Received UNSUBACK from {client}", .unsuback, .toClient),
      .bridge("Sending PINGREQ to {client}", .pingreq, .toServer),
      .bridge("Received PINGRESP from {client}", .pingresp, .toClient),
      .bridge("Bridge {client} sending DISCONNECT", .disconnect, .toServer),
      // Version 2.1, ahead of what would take the address for a part of the name.
      .ends(
        "Client {client} [{rest}] disconnected: connection closed by client.", by: .toServer,
        "closed"),
      .ends(
        "Client {client} [{rest}] disconnected: exceeded timeout.", by: .toClient, "timeout"),
      .ends(
        "Client {client} [{rest}] disconnected: session taken over.", by: .toClient,
        "taken over"),
      .ends(
        "Client {client} [{rest}] disconnected: bad socket read/write: {reason}", by: .unknown),
      .ends("Client {client} [{rest}] disconnected: {reason}.", by: .toClient),
      .ends("Client {client} [{rest}] disconnected.", by: .toServer),
      .ends("Client {client} closed its connection.", by: .toServer, "closed"),
      .ends("Client {client} has exceeded timeout, disconnecting.", by: .toClient, "timeout"),
      .ends(
        "Client {client} already connected, closing old connection.", by: .toClient, "taken over"),
      .ends("Client {client} disconnected due to {reason}.", by: .toClient),
      .ends("Client {client} been disconnected by {reason}.", by: .toClient),
      // Whatever the client, the network or the broker did.
      .ends("Bad socket read/write on client {client}: {reason}.", by: .unknown),
      .ends("Bad socket read/write on client {client}: {reason}", by: .unknown),
      // Before 2.0, for every end without DISCONNECT that no other line tells.
      .ends("Socket error on client {client}, disconnecting.", by: .unknown, "socket error"),
      .ends("Client {client} disconnected, not authorised.", by: .toClient),
      .ends("Client {client} disconnected.", by: .toServer),
    ], endsWithDisconnect: false)
}
