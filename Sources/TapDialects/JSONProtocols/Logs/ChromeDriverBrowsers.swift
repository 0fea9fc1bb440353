// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The browsers that one chromedriver drives, each over a connection of its own. No line says which
/// one it is about, but their sessions are never the same.
struct ChromeDriverBrowsers {
  /// The one that was started last.
  private var newest = 0
  /// The browser of each session.
  private var sessions: [[UInt8]: Int] = [:]

  /// Sessions that are kept.
  private static let most = 4096

  /// What the connection of a message is called.
  mutating func name(of head: ChromeDriverHead) -> String {
    if let target = head.target { return String(decoding: target, as: Unicode.UTF8.self) }
    if head.begins { newest += 1 }
    var browser = newest
    if !head.session.isEmpty {
      if sessions.count >= Self.most { sessions = [:] }
      browser = sessions[head.session] ?? newest
      sessions[head.session] = browser
    }
    return browser > 1 ? "browser \(browser)" : ""
  }
}
