2026-11-28T20:35:34.908Z	DEBUG	zap/main.go:20	ws sent	{"data": "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"login\",\"params\":{\"user\":\"bob\",\"password\":\"hunter2pw\"}}", "conn": 7}
2026-11-28T20:35:34.911Z	DEBUG	zap/main.go:20	ws received	{"data": "{\"jsonrpc\":\"2.0\",\"method\":\"tick\",\"params\":{\"n\":1}}", "conn": 7}
2026-11-28T20:35:34.915Z	DEBUG	zap/main.go:20	ws received	{"data": "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true,\"deep\":{\"a\":{\"b\":{\"c\":1}}}}}", "conn": 7}
2026-11-28T20:35:34.918Z	DEBUG	zap/main.go:20	ws sent	{"data": "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"bad\",\"params\":[1]}", "conn": 7}
2026-11-28T20:35:34.921Z	DEBUG	zap/main.go:20	ws received	{"data": "{\"jsonrpc\":\"2.0\",\"method\":\"tick\",\"params\":{\"n\":1}}", "conn": 7}
2026-11-28T20:35:34.925Z	DEBUG	zap/main.go:20	ws received	{"data": "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32000,\"message\":\"no\"}}", "conn": 7}
2026-11-28T20:35:34.928Z	DEBUG	zap/main.go:20	ws sent	{"data": "{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":[]}", "conn": 7}
2026-11-28T20:35:34.935Z	DEBUG	zap/main.go:20	ws received	{"data": "{\"jsonrpc\":\"2.0\",\"method\":\"tick\",\"params\":{\"n\":1}}", "conn": 7}
