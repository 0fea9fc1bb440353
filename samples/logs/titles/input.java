Nov 20, 2026 11:34:50 PM io.crossbar.autobahn.utils.JULLogger d
INFO:   >>> TX : io.crossbar.autobahn.wamp.messages.Hello@5bd3c1c3
Nov 20, 2026 11:34:50 PM io.crossbar.autobahn.utils.JULLogger d
INFO:   <<< RX : io.crossbar.autobahn.wamp.messages.Welcome@4f2410ac
Nov 20, 2026 11:34:51 PM io.crossbar.autobahn.utils.JULLogger d
INFO:   >>> TX : io.crossbar.autobahn.wamp.messages.Subscribe@722c41f4
Nov 20, 2026 11:34:51 PM io.crossbar.autobahn.utils.JULLogger d
INFO:   <<< RX : io.crossbar.autobahn.wamp.messages.Subscribed@5b80350b
