// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A dialect is its folder and one line in the list of dialects: no other code names it.
@Suite("Names of dialects") struct DialectNameTests {
  /// What types begin with, or what protocols are called.
  private static let words = [
    "WAMP", "JSONRPC", "JSONProtocol", "JSONLayer", "JSONDialect", "JSONRoles", "GraphQL",
    "Phoenix",
    "ActionCable", "SignalR", "Pusher", "Centrifugo", "DDP", "OCPP", "DevTools", "WebDriverBiDi",
    "Marionette",
    "DebugAdapter", "Jupyter", "Janus", "QMP", "STOMP", "SockJS",
    "SocketIO", "EngineIO", "MQTT",
  ]
  /// What their findings begin with.
  private static let layers = [
    "wamp", "wampv1", "jsonrpc", "json", "graphql", "stomp", "sockjs", "socketio", "mqtt",
  ]

  /// RawSocket is a transport of WAMP alone, and names its serializers. The program hands
  /// applications from names files to theirs.
  private static let exempt: Set<String> = ["TapDialects", "TapRawSocket", "wamptap"]

  /// Formats of logs are known by the names that programs print.
  private static func isFormat(_ file: Project.File) -> Bool {
    file.path.contains("/TapLogs/Formats/")
  }

  /// Texts for people may say how a transport is used, and which answers are masked.
  private static func isPage(_ file: Project.File) -> Bool {
    file.path.contains("Guide") || file.name.hasSuffix("Findings.swift")
  }

  private let names: Regex<Substring>

  init() throws {
    let words = Self.words.joined(separator: "|")
    let layers = Self.layers.joined(separator: "|")
    names = try Regex(#"\b(?:\#(words))\w*|"[^"]*\b(?:\#(layers))\.[a-z]"#, as: Substring.self)
  }

  @Test("stand in their folders only") func places() {
    let files = Project.sources.filter {
      !Self.exempt.contains($0.target) && !Self.isPage($0) && !Self.isFormat($0)
    }
    #expect(files.count > 300, "the sources were not found")
    for file in files {
      for (number, line) in file.code {
        #expect(!line.contains(names), "\(file.path):\(number): \(line)")
      }
    }
  }

  /// What is found in logs by the data of dialects is found without their names.
  @Test("are not asked for in logs") func logs() throws {
    let names = try Regex(#""(?:engineio|socketio|sockjs|stomp|mqtt|jsonrpc|graphql)""#)
    for file in Project.sources where file.target == "TapLogs" && !Self.isFormat(file) {
      for (number, line) in file.code {
        #expect(!line.contains(names), "\(file.path):\(number): \(line)")
      }
    }
  }

  @Test("are found where they stand", arguments: ["WAMPLayer(opening)", #""wamp.decode-failed""#])
  func search(line: String) {
    #expect(line.contains(names))
  }
}
