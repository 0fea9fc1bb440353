// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// Found by fuzzing: with another fault before it, what follows the list was called JSON too.
@Suite("Bytes behind a WAMP message") struct TrailingTests {
  @Test(
    "are never part of valid JSON",
    arguments: [#"[3,{},"a"]x"#, #"[3,65862354],71,},"["hi"]"#, "[36,1],\u{0}", "[]]", "[7,1,2]]"])
  func traits(_ text: String) {
    let nowhere = Endpoint(address: [0, 0, 0, 0], port: 0)
    let opening = Opening(.webSocket, client: nowhere, server: nowhere, isFromStart: true)
    var layer = WAMPLayer(opening, limits: Limits())
    let recorder = Recorder()
    var reported = 0
    recorder.onMessage = { message, _, _ in
      reported += 1
      #expect(!message.traits.contains(.isJSON))
    }
    layer.receive(Array(text.utf8).span.bytes, Delivery(Origin(), .text), recorder)
    #expect(reported == 1)
  }
}
