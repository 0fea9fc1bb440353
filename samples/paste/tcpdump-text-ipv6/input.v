2026-11-20 23:53:25.823287 IP6 (flowlabel 0x9c33d, hlim 64, next-header TCP (6) payload length: 40) fd77::1.49662 > fd77::2.8080: Flags [S], cksum 0x3a0c (correct), seq 3458383926, win 64800, options [mss 1440,sackOK,TS val 1363760320 ecr 0,nop,wscale 10], length 0
`	.=.(.@.w...............w...................".6....... :..........
QIT........

2026-11-20 23:53:25.827655 IP6 (flowlabel 0x93687, hlim 64, next-header TCP (6) payload length: 40) fd77::2.8080 > fd77::1.49662: Flags [S.], cksum 0x364c (correct), seq 825639367, ack 3458383927, win 64260, options [mss 1440,sackOK,TS val 2982666501 ecr 1363760320,nop,wscale 10], length 0
`	6..(.@.w...............w..................16A..".7....6L.........
....QIT....

2026-11-20 23:53:25.827690 IP6 (flowlabel 0x9c33d, hlim 64, next-header TCP (6) payload length: 32) fd77::1.49662 > fd77::2.8080: Flags [.], cksum 0x5fc3 (correct), ack 1, win 64, options [nop,nop,TS val 1363760329 ecr 2982666501], length 0
`	.=. .@.w...............w...................".716A....@_......
QIT.....
2026-11-20 23:53:25.829507 IP6 (flowlabel 0x9c33d, hlim 64, next-header TCP (6) payload length: 301) fd77::1.49662 > fd77::2.8080: Flags [P.], cksum 0xc657 (correct), seq 1:270, ack 1, win 64, options [nop,nop,TS val 1363760331 ecr 2982666501], length 269: HTTP, length: 269
	GET /ws HTTP/1.1
	User-Agent: AutobahnPython/26.10.2
	Host: fd77::2:8080
	Upgrade: WebSocket
	Connection: Upgrade
	Pragma: no-cache
	Cache-Control: no-cache
	Sec-WebSocket-Key: k3Iiit0ef1KzK76afDlM0g==
	Sec-WebSocket-Protocol: wamp.2.json
	Sec-WebSocket-Version: 13
	
`	.=.-.@.w...............w...................".716A....@.W.....
QIT.....GET /ws HTTP/1.1
User-Agent: AutobahnPython/26.10.2
Host: fd77::2:8080
Upgrade: WebSocket
Connection: Upgrade
Pragma: no-cache
Cache-Control: no-cache
Sec-WebSocket-Key: k3Iiit0ef1KzK76afDlM0g==
Sec-WebSocket-Protocol: wamp.2.json
Sec-WebSocket-Version: 13


2026-11-20 23:53:25.833938 IP6 (flowlabel 0x93687, hlim 64, next-header TCP (6) payload length: 32) fd77::2.8080 > fd77::1.49662: Flags [.], cksum 0x5eaf (correct), ack 270, win 63, options [nop,nop,TS val 2982666507 ecr 1363760331], length 0
`	6.. .@.w...............w..................16A..".D...?^......
....QIT.
2026-11-20 23:53:25.836027 IP6 (flowlabel 0x93687, hlim 64, next-header TCP (6) payload length: 216) fd77::2.8080 > fd77::1.49662: Flags [P.], cksum 0x869c (correct), seq 1:185, ack 270, win 63, options [nop,nop,TS val 2982666509 ecr 1363760331], length 184: HTTP, length: 184
	HTTP/1.1 101 Switching Protocols
	Server: Crossbar
	Upgrade: WebSocket
	Connection: Upgrade
	Sec-WebSocket-Protocol: wamp.2.json
	Sec-WebSocket-Accept: aUSXkTiWK0uIKQJ1l9aH+E8Mef4=
	
`	6....@.w...............w..................16A..".D...?.......
....QIT.HTTP/1.1 101 Switching Protocols
Server: Crossbar
Upgrade: WebSocket
Connection: Upgrade
Sec-WebSocket-Protocol: wamp.2.json
Sec-WebSocket-Accept: aUSXkTiWK0uIKQJ1l9aH+E8Mef4=


2026-11-20 23:53:25.836054 IP6 (flowlabel 0x9c33d, hlim 64, next-header TCP (6) payload length: 32) fd77::1.49662 > fd77::2.8080: Flags [.], cksum 0x5dee (correct), ack 185, win 64, options [nop,nop,TS val 1363760337 ecr 2982666509], length 0
`	.=. .@.w...............w...................".D16B....@]......
QIT....
2026-11-20 23:53:25.837835 IP6 (flowlabel 0x9c33d, hlim 64, next-header TCP (6) payload length: 911) fd77::1.49662 > fd77::2.8080: Flags [P.], cksum 0x6958 (correct), seq 270:1149, ack 185, win 64, options [nop,nop,TS val 1363760339 ecr 2982666509], length 879: HTTP
`	.=...@.w...............w...................".D16B....@iX.....
QIT........g.2.G...e.W.+...k...(.W.e.I.4.P.$.[."...<.T.&.G."...<.B.%.[./.@...W.3.T.$.F.(...3.G.k.B.3.W.).P.4.V.4.P.$.[.3.].e.F.2...4.P.$.[.3.]...W.(.S...\.}.@."...&.^.&.m.5.\.7.@.).K.}.@."...&.^.&.m.).@.7.[.).Q.>.F.%.J.}.@.".O.e.G.+.A."...<.T.&.G."...<.B.%.[./.@...W.3.T.$.F.(...3.G.k.A.%.Q...W...^.$.E...W.+.A...U.}.@."...2.^.4.W...J.+.A.(...3.G.k.B.>.].#.F.&.A.&.W.$...3.G.k.J.&.Y.(.^.#.W...D.).m.".[.".K.}.@."...&.^.&.m.).@.7.[.).Q.>.F.%.J.}.@.".O.e.S.+.@.}...".F.5.A.}...&.^.5.[.".F.!.Q.3.].e.F.2...$.^...S.$.^.)...3.G.k.B.(.@.4.[.".Q.+.m.".G.3...3.G.k.B.>.].#.F.&.A.&.W.$...3.G.k.B.>.].#.W.$.K.3.]...@.7.].(...3.G.:...$.^."...<.T.&.G."...<.Q.+.W...V.).[...S...\.}.@."...&.F.5.m.&.W...W...F.&.[.)...5.W.e.Z.5.V.5.U.4.@.3.].e.F.2...$.^...S.$.^.)...3.G.k.B.(.@.4.[.".Q.+.m.".G.3...3.G.k.@. .A.5.F.(.m.".].&.[.)...5.W.e.S.+.S...@.).B.5.\.>...5.W.e.S.+.S...\.5.B...\.$.K.3.P.?...5.W.:.O.
2026-11-20 23:53:25.844943 IP6 (flowlabel 0x93687, hlim 64, next-header TCP (6) payload length: 1073) fd77::2.8080 > fd77::1.49662: Flags [P.], cksum 0xc178 (correct), seq 185:1226, ack 1149, win 63, options [nop,nop,TS val 2982666518 ecr 1363760339], length 1041: HTTP
`	6..1.@.w...............w..................16B..".....?.x.....
....QIT..~..[2,3762398921876569,{"x_cb_node":"vm-6533","x_cb_worker":"worker001","x_cb_peer":"tcp6:fd77::1:49662","x_cb_pid":6550,"realm":"realm1","authid":"SE7U-HQMX-9Y4W-N74K-XVGY-5CQY","authrole":"anonymous","authmethod":"anonymous","authprovider":"static","authextra":{"x_cb_node":"vm-6533","x_cb_worker":"worker001","x_cb_peer":"tcp6:fd77::1:49662","x_cb_pid":6550},"roles":{"broker":{"features":{"publisher_identification":true,"pattern_based_subscription":true,"session_meta_api":true,"subscription_meta_api":true,"subscriber_blackwhite_listing":true,"publisher_exclusion":true,"subscription_revocation":true,"payload_transparency":true,"payload_encryption_cryptobox":true,"event_retention":true}},"dealer":{"features":{"caller_identification":true,"pattern_based_registration":true,"session_meta_api":true,"registration_meta_api":true,"shared_registration":true,"call_canceling":true,"progressive_call_results":true,"registration_revocation":true,"payload_transparency":true,"testament_meta_api":true,"payload_encryption_cryptobox":true}}}}]
2026-11-20 23:53:25.886217 IP6 (flowlabel 0x9c33d, hlim 64, next-header TCP (6) payload length: 32) fd77::1.49662 > fd77::2.8080: Flags [.], cksum 