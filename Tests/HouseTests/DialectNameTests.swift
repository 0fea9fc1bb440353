// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A dialect is known by its folder and by one line in the list of dialects; nothing else is built
/// for one of them.
@Suite("Names of dialects") struct DialectNameTests {
  /// What their types and findings begin with, and what they are called in texts.
  private let names =
    /\b(?:WAMP|JSONRPC|JSONProtocol|JSONLayer|JSONDialect|JSONRoles|GraphQL|Phoenix|ActionCable|SignalR|Pusher|Centrifugo|DDP|OCPP|DevTools|STOMP|SockJS|SocketIO|EngineIO|MQTT)\w*|"[^"]*\b(?:wamp|wampv1|jsonrpc|json|graphql|stomp|sockjs|socketio|mqtt)\.[a-z]/

  /// Targets that stand above or beside the dialects, and speak of no one of them.
  private static let targets = [
    "TapBytes", "TapTraffic", "TapSessions", "TapFraming", "TapEncodings", "TapHTTP", "TapInflate",
    "TapInspector", "TapNames", "TapRender", "TapSources", "TapTLS", "TapTransport",
    "TapWebSocket",
  ]

  /// Texts for people may say how a transport is used, and which answers are masked.
  private static func isPage(_ file: Project.File) -> Bool {
    file.path.contains("Guide") || file.name.hasSuffix("Findings.swift")
  }

  @Test("stand in their folders only") func places() {
    let targets = Set(Self.targets)
    #expect(targets.isSubset(of: Project.sources.map(\.target)))
    for file in Project.sources where targets.contains(file.target) && !Self.isPage(file) {
      for (number, line) in file.code {
        #expect(!line.contains(names), "\(file.path):\(number): \(line)")
      }
    }
  }
}
