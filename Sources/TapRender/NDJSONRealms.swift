// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The realms that sessions have joined, for the key `realm` of each of their messages.
struct NDJSONRealms {
  private struct Realm: BitwiseCopyable {
    var session: UInt16
    /// Number of its name, as a string of JSON.
    var text: Int32
  }

  /// By connection.
  private var realms = IDTable<Realm>(minimumCapacity: 1)
  private var texts: Interner
  /// The connection of the last message, and its realm.
  private var last: (connection: UInt32, realm: Realm?) = (0, nil)

  init(limits: Limits) { texts = Interner(maximumBytes: limits.subjectBytes) }

  /// What a message says of it. Realms for which there is no room are not known.
  mutating func note(_ message: Message, _ view: MessageView) {
    if message.realm.isEmpty || view.joined.connection == 0 { return }
    var name = TextBuffer(capacity: 64)
    name.append(jsonString: view.bytes[message.realm])
    let text = texts.number(of: name.bytes)
    realms[Self.key(view.joined.connection)] =
      text == 0 ? nil : Realm(session: message.session, text: text)
    last = (0, nil)
  }

  private static func key(_ connection: UInt32) -> WideKey { WideKey(0, UInt64(connection)) }

  /// `,"realm":"chat"`, or nothing where it is not known.
  mutating func append(_ message: Message, _ view: MessageView, to text: inout TextBuffer) {
    if realms.count == 0 { return }
    if last.connection != view.joined.connection {
      last = (view.joined.connection, realms[Self.key(view.joined.connection)])
    }
    guard let realm = last.realm, realm.session == message.session else { return }
    text.append(#","realm":"#)
    text.append(texts[realm.text])
  }

  mutating func closed(_ connection: UInt32) {
    if realms.count == 0 { return }
    realms[Self.key(connection)] = nil
    last = (0, nil)
  }
}
