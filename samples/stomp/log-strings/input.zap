{"level":"debug","ts":1796095775.4805064,"logger":"client","caller":"app/main.go:217","msg":"sent","payload":"CONNECT\naccept-version:1.2\nhost:/\nlogin:joe1\npasscode:hunter2-1\nheart-beat:0,0\n\n\u0000"}
{"level":"debug","ts":1796095775.4890952,"logger":"client","caller":"app/main.go:217","msg":"received","payload":"CONNECTED\nversion:1.2\nsession:sess-1\nserver:x/1.0\nheart-beat:0,0\n\n\u0000"}
{"level":"debug","ts":1796095775.4974146,"logger":"client","caller":"app/main.go:217","msg":"sent","payload":"SUBSCRIBE\nid:sub-0\ndestination:/topic/chat\nack:client\n\n\u0000"}
{"level":"debug","ts":1796095775.5058641,"logger":"client","caller":"app/main.go:217","msg":"sent","payload":"SEND\ndestination:/app/hello\ncontent-type:application/json\nreceipt:r-1\n\n{\"name\":\"Zoë\",\"n\":1}\u0000"}
{"level":"debug","ts":1796095775.5153937,"logger":"client","caller":"app/main.go:217","msg":"received","payload":"RECEIPT\nreceipt-id:r-1\n\n\u0000"}
