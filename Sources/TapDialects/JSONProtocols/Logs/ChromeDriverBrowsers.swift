// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The browsers that one chromedriver drives, each over its own connection. No line names its
/// browser. The session of a message identifies it; for messages without a session, the number of
/// the command does, as chromedriver numbers the commands of each connection.
struct ChromeDriverBrowsers {
  /// The number of each browser's last command.
  private var counts: [UInt64] = [0]
  /// The browser of each session.
  private var sessions: [[UInt8]: Int] = [:]
  /// The browser of each open command without a session, by the number of the command.
  private var asked: [UInt64: Int] = [:]
  /// Since the newest browser began, an older one was used again, and a message that nothing
  /// identifies was taken for one of the newest.
  private var (hasOlder, hasGuess) = (false, false)

  /// The limit of kept sessions, and of kept commands.
  private static let most = 4096

  /// Messages shown with one browser may belong to another.
  var isMixed: Bool { hasOlder && hasGuess }
  private var newest: Int { counts.count - 1 }
  /// The connection of messages that nothing identifies.
  var newestName: String { Self.name(newest) }

  /// The name of a message's connection.
  mutating func name(of head: ChromeDriverHead) -> String {
    if head.begins {
      // The first entry is for messages before the first beginning.
      counts.append(0)
      (hasOlder, hasGuess) = (false, false)
    }
    let browser = known(head) ?? newest
    if known(head) == nil { hasGuess = true }
    if browser != newest { hasOlder = true }
    if head.isCommand { counts[browser] = head.number }
    if !head.session.isEmpty {
      note(head.session, of: browser)
    } else if head.isCommand {
      if asked.count >= Self.most { asked = [:] }
      asked[head.number] = browser
    } else if !head.isEvent {
      asked[head.number] = nil
    }
    return Self.name(browser)
  }

  /// The browser of a message; nil when nothing identifies it.
  private func known(_ head: ChromeDriverHead) -> Int? {
    if head.begins { return newest }
    if !head.session.isEmpty, let browser = sessions[head.session] { return browser }
    if head.isCommand {
      let all = counts.indices.filter { counts[$0] + 1 == head.number }
      return all.count == 1 ? all[0] : nil
    }
    if !head.isEvent { return asked[head.number] }
    // An event without a session belongs to the only browser with open commands.
    let all = Set(asked.values)
    return all.count == 1 ? all.first : nil
  }

  /// Notes that another session belongs to the browser of a message.
  mutating func note(session other: [UInt8], reportedBy head: ChromeDriverHead) {
    guard let browser = known(head) else { return }
    note(other, of: browser)
  }

  private mutating func note(_ session: [UInt8], of browser: Int) {
    if sessions.count >= Self.most && sessions[session] == nil { sessions = [:] }
    sessions[session] = browser
  }

  private static func name(_ browser: Int) -> String { browser > 1 ? "browser \(browser)" : "" }
}
