[jsonrpc] e[23:34:50.123] --> initialize[1] {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":4711}}
[jsonrpc] e[23:34:50.223] <-- initialize[1] {"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}
[jsonrpc] e[23:34:50.224] --> initialized {"jsonrpc":"2.0","method":"initialized","params":{}}
[jsonrpc] e[23:34:50.250] --> textDocument/hover[2] {"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{}}
[jsonrpc] e[23:34:50.324] <-- workspace/configuration[2] {"jsonrpc":"2.0","id":2,"method":"workspace/configuration","params":{"items":[]}}
[jsonrpc] e[23:34:50.326] --> workspace/configuration[2] {"jsonrpc":"2.0","id":2,"result":[{"a":1}]}
[jsonrpc] e[23:34:50.329] <-- textDocument/hover[2] {"jsonrpc":"2.0","id":2,"result":{"contents":"hover"}}
