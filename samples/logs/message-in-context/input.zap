2026-11-28T20:35:34.876Z	DEBUG	zap/main.go:20	message sent	{"payload": [1,"realm1",{"roles":{"subscriber":{},"caller":{}}}]}
2026-11-28T20:35:34.879Z	DEBUG	zap/main.go:20	message received	{"payload": [2,4242424242,{"roles":{"broker":{},"dealer":{}},"authid":"anon","authrole":"anonymous","realm":"realm1"}]}
2026-11-28T20:35:34.882Z	DEBUG	zap/main.go:20	message sent	{"payload": [32,1,{},"com.t"]}
2026-11-28T20:35:34.886Z	DEBUG	zap/main.go:20	message received	{"payload": [33,1,777]}
2026-11-28T20:35:34.891Z	DEBUG	zap/main.go:20	message sent	{"payload": [48,2,{},"com.p",[2,3],{"token":"tok-secret-1"}]}
2026-11-28T20:35:34.895Z	DEBUG	zap/main.go:20	message received	{"payload": [36,777,9001,{},["evt \"q\" \\ é"]]}
2026-11-28T20:35:34.898Z	DEBUG	zap/main.go:20	message received	{"payload": [50,2,{},[5,{"a":[1,2,{"b":{"c":{"d":1}}}]}]]}
2026-11-28T20:35:34.901Z	DEBUG	zap/main.go:20	message sent	{"payload": [6,{},"wamp.close.close_realm"]}
2026-11-28T20:35:34.905Z	DEBUG	zap/main.go:20	message received	{"payload": [6,{},"wamp.close.goodbye_and_out"]}
2026-11-28T20:35:34.908Z	DEBUG	zap/main.go:20	message sent	{"payload": {"jsonrpc":"2.0","id":1,"method":"login","params":{"user":"bob","password":"hunter2pw"}}}
2026-11-28T20:35:34.911Z	DEBUG	zap/main.go:20	message received	{"payload": {"jsonrpc":"2.0","method":"tick","params":{"n":1}}}
2026-11-28T20:35:34.915Z	DEBUG	zap/main.go:20	message received	{"payload": {"jsonrpc":"2.0","id":1,"result":{"ok":true,"deep":{"a":{"b":{"c":1}}}}}}
2026-11-28T20:35:34.918Z	DEBUG	zap/main.go:20	message sent	{"payload": {"jsonrpc":"2.0","id":2,"method":"bad","params":[1]}}
2026-11-28T20:35:34.921Z	DEBUG	zap/main.go:20	message received	{"payload": {"jsonrpc":"2.0","method":"tick","params":{"n":1}}}
2026-11-28T20:35:34.925Z	DEBUG	zap/main.go:20	message received	{"payload": {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no"}}}
2026-11-28T20:35:34.928Z	DEBUG	zap/main.go:20	message sent	{"payload": {"jsonrpc":"2.0","method":"note","params":[]}}
2026-11-28T20:35:34.935Z	DEBUG	zap/main.go:20	message received	{"payload": {"jsonrpc":"2.0","method":"tick","params":{"n":1}}}
