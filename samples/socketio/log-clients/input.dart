I/flutter ( 5123): FINE: 2026-11-20 23:34:50.101223: creating transport "websocket"
I/flutter ( 5123): FINE: 2026-11-20 23:34:50.201223: socket receive: type "open", data "{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"
I/flutter ( 5123): FINE: 2026-11-20 23:34:50.202223: socket open
I/flutter ( 5123): FINE: 2026-11-20 23:34:50.203223: encoding packet {type: 0, data: null, nsp: /}
I/flutter ( 5123): FINE: 2026-11-20 23:34:50.203323: encoded {type: 0, data: null, nsp: /} as 0
I/flutter ( 5123): FINE: 2026-11-20 23:34:50.301223: socket receive: type "message", data "0{"sid":"mPzj1LpXq2S8a7fSAAAD"}"
I/flutter ( 5123): FINE: 2026-11-20 23:34:50.301323: decoded 0{"sid":"mPzj1LpXq2S8a7fSAAAD"} as {type: 0, nsp: /, id: -1, data: {sid: mPzj1LpXq2S8a7fSAAAD}}
I/flutter ( 5123): FINE: 2026-11-20 23:34:51.203223: writing packet {type: 2, data: [msg, test], options: {compress: true}, nsp: /}
I/flutter ( 5123): FINE: 2026-11-20 23:34:51.203223: encoding packet {type: 2, data: [msg, test], options: {compress: true}, nsp: /}
I/flutter ( 5123): FINE: 2026-11-20 23:34:51.203323: encoded {type: 2, data: [msg, test], options: {compress: true}, nsp: /} as 2["msg","test"]
I/flutter ( 5123): FINE: 2026-11-20 23:34:51.301223: socket receive: type "message", data "2["fromServer",{"a":1}]"
I/flutter ( 5123): FINE: 2026-11-20 23:34:51.301323: decoded 2["fromServer",{"a":1}] as {type: 2, nsp: /, id: -1, data: [fromServer, {a: 1}]}
I/flutter ( 5123): FINE: 2026-11-20 23:34:51.301423: emitting event [fromServer, {a: 1}]
I/flutter ( 5123): FINE: 2026-11-20 23:35:15.301223: socket receive: type "ping", data "null"
