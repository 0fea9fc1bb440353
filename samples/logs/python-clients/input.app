2026-12-01 03:42:53,856 DEBUG websocket --- request header ---
2026-12-01 03:42:53,856 DEBUG websocket GET /ws HTTP/1.1
2026-12-01 03:42:53,858 INFO myapp Sending message {"type": "ping", "id": 1}
2026-12-01 03:42:53,858 DEBUG websocket ++Sent raw: b'\x81\x99\xe1\x87\xa5\x9f'
2026-12-01 03:42:53,858 DEBUG websocket ++Sent decoded: fin=1 opcode=1 data=b'{"type": "ping", "id": 1}'
2026-12-01 03:42:53,860 DEBUG websocket ++Rcv raw: b'\x81\x19{"type": "pong", "id": 1}'
2026-12-01 03:42:53,860 DEBUG websocket ++Rcv decoded: fin=1 opcode=1 data=b'{"type": "pong", "id": 1}'
2026-12-01 03:42:53,860 INFO myapp Received message {"type": "pong", "id": 1}
2026-12-01 03:42:54,858 INFO myapp Sending message {"type": "ping", "id": 2}
2026-12-01 03:42:54,858 DEBUG websocket ++Sent raw: b'\x81\x99\xe1\x87\xa5\x9f'
2026-12-01 03:42:54,858 DEBUG websocket ++Sent decoded: fin=1 opcode=1 data=b'{"type": "ping", "id": 2}'
2026-12-01 03:42:54,860 DEBUG websocket ++Rcv raw: b'\x81\x19{"type": "pong", "id": 2}'
2026-12-01 03:42:54,860 DEBUG websocket ++Rcv decoded: fin=1 opcode=1 data=b'{"type": "pong", "id": 2}'
2026-12-01 03:42:54,860 INFO myapp Received message {"type": "pong", "id": 2}
