Nov 20, 2026 11:34:50 PM io.socket.client.Manager open
FINE: readyState CLOSED
Nov 20, 2026 11:34:50 PM io.socket.client.Manager open
FINE: opening http://localhost:3000
Nov 20, 2026 11:34:50 PM io.socket.engineio.client.Socket createTransport
FINE: creating transport 'polling'
Nov 20, 2026 11:34:50 PM io.socket.engineio.client.transports.PollingXHR doPoll
FINE: xhr poll
Nov 20, 2026 11:34:50 PM io.socket.engineio.client.transports.Polling _onData
FINE: polling got data 0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}
Nov 20, 2026 11:34:50 PM io.socket.engineio.client.Socket onPacket
FINE: socket received: type 'open', data '{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}'
Nov 20, 2026 11:34:51 PM io.socket.parser.IOParser$Encoder encode
FINE: encoding packet io.socket.parser.Packet@1b2c3d
Nov 20, 2026 11:34:51 PM io.socket.parser.IOParser$Encoder encodeAsString
FINE: encoded io.socket.parser.Packet@1b2c3d as 0
Nov 20, 2026 11:34:51 PM io.socket.engineio.client.Socket onPacket
FINE: socket received: type 'message', data '0{"sid":"mPzj1LpXq2S8a7fSAAAD"}'
Nov 20, 2026 11:34:51 PM io.socket.parser.IOParser$Decoder decodeString
FINE: decoded 0{"sid":"mPzj1LpXq2S8a7fSAAAD"} as io.socket.parser.Packet@22aa11
Nov 20, 2026 11:34:52 PM io.socket.client.Manager packet
FINE: writing packet io.socket.parser.Packet@3c4d5e
Nov 20, 2026 11:34:52 PM io.socket.parser.IOParser$Encoder encodeAsString
FINE: encoded io.socket.parser.Packet@3c4d5e as 20["echo",{"a":1}]
Nov 20, 2026 11:34:52 PM io.socket.engineio.client.Socket onPacket
FINE: socket received: type 'message', data '30["ok"]'
Nov 20, 2026 11:34:52 PM io.socket.parser.IOParser$Decoder decodeString
FINE: decoded 30["ok"] as io.socket.parser.Packet@22aa12
Nov 20, 2026 11:34:52 PM io.socket.client.Socket onack
FINE: calling ack 0 with ["ok"]
Nov 20, 2026 11:35:15 PM io.socket.engineio.client.Socket onPacket
FINE: socket received: type 'ping', data 'null'
