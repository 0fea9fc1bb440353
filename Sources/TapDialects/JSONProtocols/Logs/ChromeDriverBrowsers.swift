// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The browsers that one chromedriver drives, each over a connection of its own. No line says which
/// one it is about: its session does, and for the browser itself, the number of a command, as
/// chromedriver counts those of each connection.
struct ChromeDriverBrowsers {
  /// The last command of each.
  private var counts: [UInt64] = [0]
  /// The browser of each session.
  private var sessions: [[UInt8]: Int] = [:]
  /// Those that were asked what no session is named for, by the number of the command.
  private var asked: [UInt64: Int] = [:]
  /// Since the newest one began, another one went on, and what nothing tells was taken for the
  /// newest.
  private var (hasOlder, hasGuess) = (false, false)

  /// Sessions that are kept, and commands.
  private static let most = 4096

  /// What is shown with one browser may be of another one.
  var isMixed: Bool { hasOlder && hasGuess }
  private var newest: Int { counts.count - 1 }
  /// The connection of what nothing tells.
  var newestName: String { Self.name(newest) }

  /// What the connection of a message is called.
  mutating func name(of head: ChromeDriverHead) -> String {
    if let target = head.target { return String(decoding: target, as: Unicode.UTF8.self) }
    if head.begins {
      // The first place is for what comes before any begins.
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

  /// The browser that a message is certainly of.
  private func known(_ head: ChromeDriverHead) -> Int? {
    if head.begins { return newest }
    if !head.session.isEmpty, let browser = sessions[head.session] { return browser }
    if head.isCommand {
      let all = counts.indices.filter { counts[$0] + 1 == head.number }
      return all.count == 1 ? all[0] : nil
    }
    if !head.isEvent { return asked[head.number] }
    // An event of what was just asked.
    let all = Set(asked.values)
    return all.count == 1 ? all.first : nil
  }

  /// A session tells that another one is of the same browser.
  mutating func note(session other: [UInt8], toldBy head: ChromeDriverHead) {
    guard let browser = known(head) else { return }
    note(other, of: browser)
  }

  private mutating func note(_ session: [UInt8], of browser: Int) {
    if sessions.count >= Self.most && sessions[session] == nil { sessions = [:] }
    sessions[session] = browser
  }

  private static func name(_ browser: Int) -> String { browser > 1 ? "browser \(browser)" : "" }
}
