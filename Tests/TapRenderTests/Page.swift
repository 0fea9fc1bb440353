// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapRender
import TapTraffic

/// A renderer, and what it wrote.
struct Page {
  var renderer: any Renderer
  private var index: UInt64 = 0
  /// Messages that it shows.
  private(set) var shown = 0

  init(_ renderer: any Renderer) { self.renderer = renderer }

  mutating func message(
    _ json: String, _ name: StaticString, _ links: [Link] = [],
    _ change: (inout TestMessage) -> Void = { _ in }
  ) -> String {
    message(Array(json.utf8), name, links) {
      $0.traits = [.isText, .isJSON, .isCompact, .isPlain]
      change(&$0)
    }
  }

  mutating func message(
    _ bytes: [UInt8], _ name: StaticString, _ links: [Link] = [],
    _ change: (inout TestMessage) -> Void = { _ in }
  ) -> String {
    var said = TestMessage(bytes, name, links)
    change(&said)
    return show(said)
  }

  mutating func show(_ said: TestMessage) -> String {
    index += 1
    let subject = Array(said.subject.utf8)
    var text = TextBuffer(capacity: 0)
    let view = MessageView(
      said.joined(index: index), said.bytes.span.bytes, said.notes.span,
      subject: subject.span.bytes)
    let isShown = renderer.message(said.message, view, into: &text)
    if isShown { shown += 1 }
    return string(text)
  }

  mutating func write(_ body: (inout any Renderer, inout TextBuffer) -> Void) -> String {
    var text = TextBuffer(capacity: 0)
    body(&renderer, &text)
    return string(text)
  }

  private func string(_ text: borrowing TextBuffer) -> String {
    String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }
}

func link(_ word: StaticString, _ key: UInt64, _ role: Link.Role = .opens) -> Link {
  Link(role, word, key, space: 1)
}

func chat(url: String = "ws://chat.example:8080/ws") -> Opening {
  var opening = Opening(
    .webSocket, client: Endpoint(address: [10, 0, 0, 7], port: 51_234),
    server: Endpoint(address: [10, 1, 0, 1], port: 8080), isFromStart: true)
  opening.url = Array(url.utf8)
  opening.subprotocol = Array("wamp.2.json".utf8)
  opening.extensions = [Array("permessage-deflate".utf8)]
  return opening
}
