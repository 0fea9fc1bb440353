// SPDX-License-Identifier: Apache-2.0

/// Clients of services whose messages are JSON.
extension LogFormat {
  /// centrifuge-python at DEBUG, whose websockets print what it sends, too. What it receives it
  /// prints four times and more; each reply is a message. The name of its logger is part of the
  /// marks, as other programs have these words, too.
  ///
  ///     data received {"id": 2, "subscribe": {}}
  ///     start processing message: {"id": 2, "subscribe": {}}
  ///     got reply {'id': 2, 'subscribe': {}}
  static let centrifuge = LogFormat(
    name: "centrifuge-python", title: "centrifuge-python",
    rules: [
      LogRule("centrifuge got reply ", .received),
      LogRule("centrifuge:got reply ", .received),
      LogRule("centrifuge data received ", .received, .ignored),
      LogRule("centrifuge:data received ", .received, .ignored),
      LogRule("centrifuge start processing message: ", .received, .ignored),
      LogRule("centrifuge:start processing message: ", .received, .ignored),
      LogRule("centrifuge start parsing message: ", .received, .ignored),
      LogRule("centrifuge:start parsing message: ", .received, .ignored),
      LogRule("centrifuge received push reply ", .received, .ignored),
      LogRule("centrifuge:received push reply ", .received, .ignored),
    ],
    side: .client, family: "websockets", library: "websockets")

  /// The package ocpp for Python, either side of OCPP-J, above websockets, which prints the same
  /// once more at DEBUG. The station's name stands between that of its logger and the mark.
  ///
  ///     INFO:ocpp:CP_1: send [2,"b53313ef-2889-4943-acf3-76a81e71ed25","Heartbeat",{}]
  static let ocpp = LogFormat(
    name: "ocpp-python", title: "ocpp (Python)",
    rules: [
      LogRule(": send ", .sent, writer: .wordBefore),
      LogRule(": receive message ", .received, writer: .wordBefore),
    ],
    traits: .mayBeBothEnds, requiredWord: "ocpp", family: "websockets", library: "websockets")

  /// The package mcp for Python, which speaks JSON-RPC over HTTP, at DEBUG: as a client by either
  /// transport, as a server by SSE, above sse_starlette. What comes to the server it prints once
  /// more before it is checked.
  ///
  ///     DEBUG:mcp.client.sse:Received server message: jsonrpc='2.0' id=1 result={'tools': []}
  static let mcp = LogFormat(
    name: "mcp-python", title: "mcp (Python)",
    rules: [
      LogRule("Sending client message: ", .sent, .model),
      LogRule("SSE message: ", .received, .model),
      LogRule("Received server message: ", .received, .model),
      LogRule("Received JSON: ", .received, .ignored),
      LogRule("Validated client message: ", .received, .model),
      LogRule("Sending message via SSE: ", .sent, .model),
    ],
    sideWords: [("mcp.client", .client), ("mcp.server", .server)], requiredWord: "mcp",
    family: "sse",
    library: "sse-starlette",
    anchors: ["client message: ", "SSE message: ", "rver message: ", "ia SSE: "])

  /// sse_starlette, which sends events to browsers and to clients of mcp.
  ///
  ///     DEBUG:sse_starlette.sse:chunk: b'event: message\r\ndata: {"jsonrpc":"2.0","id":1}\r\n\r\n'
  static let sseStarlette = LogFormat(
    name: "sse-starlette", title: "sse_starlette", rules: [LogRule("chunk: ", .sent)],
    side: .server, traits: .library, requiredWord: "sse_starlette", family: "sse")

  /// gql, a client of GraphQL for Python, above websockets. It prints what it has sent.
  ///
  ///     DEBUG:gql.transport.common.base:>>> {"type": "connection_init", "payload": {}}
  static let gql = LogFormat(
    name: "gql-python", title: "gql (Python)",
    rules: [LogRule(">>> ", .sent), LogRule("<<< ", .received)],
    side: .client, traits: .printsWhatWasSent, requiredWord: "gql.transport", family: "websockets",
    library: "websockets")

  /// Helix with `-v`, an editor: each of its language servers has a name.
  ///
  ///     helix_lsp::transport [INFO] rust-analyzer -> {"jsonrpc":"2.0","method":"initialized"}
  static let helix = LogFormat(
    name: "helix", title: "Helix",
    rules: [
      LogRule(" -> ", .sent, writer: .wordBefore), LogRule(" <- ", .received, writer: .wordBefore),
    ], side: .client, requiredWord: "helix_lsp::transport")

  /// Marionette of Firefox with `log.level` debug or trace, as geckodriver prints it: what it takes
  /// and what it answers, behind the number of the connection.
  ///
  ///     1616161616261  Marionette  DEBUG  0 -> [0,1,"WebDriver:NewSession",{}]
  static let marionette = LogFormat(
    name: "marionette", title: "Marionette",
    rules: [LogRule(" -> ", .toServer), LogRule(" <- ", .toClient)], side: .server,
    requiredWord: "Marionette")

  /// The Remote Agent of Firefox with `remote.log.level` debug or trace: what it takes and what it
  /// answers in WebDriver BiDi, behind the id of the connection.
  ///
  ///     1616161616261  RemoteAgent  DEBUG  WebDriverBiDiConnection 417f… -> {"id":1,"method":"…"}
  static let remoteAgent = LogFormat(
    name: "remote-agent", title: "Firefox's Remote Agent",
    rules: [
      LogRule(" -> ", .toServer, writer: .wordBefore),
      LogRule(" <- ", .toClient, writer: .wordBefore),
    ], side: .server, traits: .ofObjects, requiredWord: "WebDriverBiDiConnection",
    anchors: ["BiDiConnection "])

  /// The WebSocket API of Home Assistant at DEBUG, which is the server: it names the connection
  /// ahead of each message.
  ///
  ///     [homeassistant.components.websocket_api.http.connection] [140] Anna: Received {'id': 2}
  static let homeAssistant = LogFormat(
    name: "home-assistant", title: "Home Assistant",
    rules: [
      LogRule("Received ", .received, session: .after("http.connection] [")),
      LogRule("Sending ", .sent, session: .after("http.connection] [")),
    ], side: .server, requiredWord: "homeassistant.components.websocket_api")

  /// Kodi with its component JSON-RPC in the debug log: it prints what it is asked.
  ///
  ///     DEBUG <general>: JSONRPC: Incoming request: {"jsonrpc":"2.0","method":"JSONRPC.Ping"}
  static let kodi = LogFormat(
    name: "kodi", title: "Kodi",
    rules: [LogRule("JSONRPC: Incoming request: ", .received)], side: .server, traits: .oneSided)

  /// discord.py at DEBUG. It prints what the gateway sends; each shard is a connection.
  ///
  ///     discord.gateway For Shard ID 0: WebSocket Event: {'t': None, 's': None, 'op': 11}
  static let discordPy = LogFormat(
    name: "discord.py", title: "discord.py",
    rules: [LogRule("WebSocket Event: ", .received)], side: .client,
    traits: [.oneSided, .ofObjects, .keyed], requiredWord: "discord.gateway",
    anchors: ["WebSocket Event: "])

  /// qemu.qmp for Python at DEBUG. Its logger has the name of the virtual machine.
  ///
  ///     DEBUG qemu.qmp.protocol.vm1: --> {
  static let qemuQMP = LogFormat(
    name: "qemu.qmp", title: "qemu.qmp",
    rules: [
      LogRule(": --> ", .sent, writer: .wordBefore),
      LogRule(": <-- ", .received, writer: .wordBefore),
    ], side: .client, requiredWord: "qemu.qmp")

  /// libvirt with `log_filters="1:qemu_monitor"`. What it hands over is printed again as it is
  /// written, and what it receives before it is understood.
  ///
  ///     … : QEMU_MONITOR_SEND_MSG: mon=0x7f398400b180 msg={"execute":"cont","id":"libvirt-4"}
  ///     … : QEMU_MONITOR_RECV_REPLY: mon=0x7f398400b180 reply={"return": {}, "id": "libvirt-4"}
  static let libvirt = LogFormat(
    name: "libvirt", title: "libvirt",
    rules: [
      LogRule("QEMU_MONITOR_SEND_MSG: ", .sent, writer: .peer),
      LogRule("QEMU_MONITOR_RECV_REPLY: ", .received, writer: .peer),
      LogRule("QEMU_MONITOR_RECV_EVENT: ", .received, writer: .peer),
      LogRule("QEMU_MONITOR_IO_WRITE: ", .sent, .ignored),
      LogRule("QEMU_MONITOR_IO_PROCESS: ", .received, .ignored),
      LogRule("qemuMonitorJSONIOProcessLine:", .received, .ignored),
    ], side: .client, traits: .ofObjects, anchors: ["QEMU_MONITOR_"])

  /// Socket Mode of slack-sdk for Python at DEBUG, with the client that it brings along.
  ///
  ///     Received a new data frame (session id: 0f06d4a0, opcode: text, payload: {"type": "hello"})
  ///     Sending a message (session id: 0f06d4a0, message: {"envelope_id": "e-1"})
  static let slackSDK = LogFormat(
    name: "slack-sdk", title: "slack-sdk",
    rules: [
      LogRule("on_message invoked: (message: ", .received, .ignored),
      LogRule("Received bytes: b", .received, .ignored),
      LogRule("Received a new data frame (session id: ", .received),
      LogRule("Sending a message (session id: ", .sent),
    ], side: .client, traits: [.ofObjects, .keyed], requiredWord: "slack_sdk.socket_mode",
    anchors: ["opcode: text, payload: ", "Sending a message (session id: "])

  /// pusher-js with `Pusher.logToConsole`, and before version 5.
  ///
  ///     Pusher :  : ["Event sent",{"event":"pusher:subscribe","data":{"channel":"a"}}]
  ///     Pusher : Event recd : {"event":"my-event","data":{}}
  static let pusherJS = LogFormat(
    name: "pusher-js", title: "pusher-js",
    rules: [
      LogRule("Event sent\",", .sent), LogRule("Event recd\",", .received),
      LogRule("Event sent : ", .sent), LogRule("Event recd : ", .received),
    ], side: .client, traits: .ofObjects, requiredWord: "Pusher", anchors: ["Pusher :"])
}
