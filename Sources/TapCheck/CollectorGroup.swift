// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Passes everything to several collectors, which write nothing.
struct CollectorGroup: Renderer {
  private var all: [any Renderer]

  init(_ all: [any Renderer]) { self.all = all }

  var wishes: Detail.Wishes { all.reduce(into: []) { $0.formUnion($1.wishes) } }

  mutating func named(_ namings: ContiguousArray<NamedValue>) {
    for at in all.indices { all[at].named(namings) }
  }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    for at in all.indices {
      all[at].opened(opening, connection: connection, delivery, into: &text)
    }
  }

  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    for at in all.indices {
      _ = all[at].message(message, view, into: &text)
    }
    return false
  }

  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    for at in all.indices {
      all[at].finding(finding, connection: connection, messages: messages, into: &text)
    }
  }

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    for at in all.indices {
      all[at].closed(closing, connection: connection, delivery, into: &text)
    }
  }

  mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    for at in all.indices { all[at].summary(summary, into: &text) }
  }
}
