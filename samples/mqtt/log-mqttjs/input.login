2026-11-26T19:12:25.522Z mqttjs:client MqttClient :: options.protocol mqtt
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: options.protocolVersion 4
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: options.username anna
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: options.keepalive 60
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: options.reconnectPeriod 1000
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: options.rejectUnauthorized undefined
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: options.topicAliasMaximum undefined
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: clientId js-1
2026-11-26T19:12:25.523Z mqttjs:client MqttClient :: setting up stream
2026-11-26T19:12:25.524Z mqttjs:client _setupStream :: calling method to clear reconnect
2026-11-26T19:12:25.524Z mqttjs:client _clearReconnect : clearing reconnect timer
2026-11-26T19:12:25.524Z mqttjs:client _setupStream :: using streamBuilder provided to client to create stream
2026-11-26T19:12:25.525Z mqttjs:client _setupStream :: pipe stream to writable stream
2026-11-26T19:12:25.525Z mqttjs:client _setupStream: sending packet `connect`
2026-11-26T19:12:25.526Z mqttjs:client sendPacket :: packet: { cmd: 'connect' }
2026-11-26T19:12:25.526Z mqttjs:client sendPacket :: emitting `packetsend`
2026-11-26T19:12:25.526Z mqttjs:client sendPacket :: writing to stream
2026-11-26T19:12:25.526Z mqtt-packet:writeToStream generate called
2026-11-26T19:12:25.546Z mqtt-packet:writeToStream generate: packet.cmd: connect
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeVarByteInt: writing to stream: <Buffer 2b>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 4
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 04>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeString: MQTT
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 60
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 3c>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 4
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 04>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeString: js-1
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 4
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 04>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeString: w/js
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 4
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 04>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeString: gone
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 4
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 04>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeString: anna
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: number: 7
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeNumberCached: <Buffer 00 07>
2026-11-26T19:12:25.547Z mqtt-packet:writeToStream writeString: hunter2
2026-11-26T19:12:25.547Z mqttjs:client sendPacket :: writeToStream result true
2026-11-26T19:12:25.553Z mqttjs:client writable stream :: parsing buffer
2026-11-26T19:12:25.554Z mqttjs:client parser :: on packet push to packets array.
2026-11-26T19:12:25.554Z mqttjs:client work :: getting next packet in queue
2026-11-26T19:12:25.554Z mqttjs:client work :: packet pulled from queue
2026-11-26T19:12:25.554Z mqttjs:client _handlePacket :: emitting packetreceive
2026-11-26T19:12:25.554Z mqttjs:client _handleConnack
