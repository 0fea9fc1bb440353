// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The realms that sessions have joined, for the key `realm` of each of their messages.
struct NDJSONRealms {
  private struct Realm: BitwiseCopyable {
    var session: UInt16
    /// Number of its text.
    var text: Int32
  }

  /// By connection.
  private var realms: [UInt32: Realm] = [:]
  private var texts: Interner
  /// Of the message that came last.
  private var last: (connection: UInt32, realm: Realm?) = (0, nil)

  init(limits: Limits) { texts = Interner(maximumBytes: limits.subjectBytes) }

  /// What a message says of it. Realms for which there is no room are not known.
  mutating func note(_ message: Message, _ joined: Joined, _ bytes: RawSpan) {
    if message.realm.isEmpty || joined.connection == 0 { return }
    let text = texts.number(of: bytes[message.realm])
    realms[joined.connection] =
      text == 0 ? nil : Realm(session: message.session, text: text)
    last = (0, nil)
  }

  /// `,"realm":"chat"`, or nothing where it is not known.
  mutating func append(
    _ message: Message, _ joined: Joined, to text: inout TextBuffer
  ) {
    if realms.isEmpty { return }
    if last.connection != joined.connection {
      last = (joined.connection, realms[joined.connection])
    }
    guard let realm = last.realm, realm.session == message.session else { return }
    text.append(#","realm":"#)
    text.append(jsonString: texts[realm.text])
  }

  mutating func closed(_ connection: UInt32) {
    if realms.isEmpty { return }
    realms[connection] = nil
    last = (0, nil)
  }
}
