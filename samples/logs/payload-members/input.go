2026/12/01 03:29:34.272930 --> {Direction:out Type:1 Payload:{"type":"login","id":1,"user":"joe1","password":"hunter2-1"}}
2026/12/01 03:29:34.281127 <-- {Direction:in Type:1 Payload:{"type":"login_ok","id":1,"token":"tok-abcdef-1","rooms":["lobby","dev"]}}
2026/12/01 03:29:34.288691 --> {Direction:out Type:1 Payload:{"type":"join","id":2,"room":"lobby"}}
