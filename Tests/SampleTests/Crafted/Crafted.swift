// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// An input of a sample that is built by code, so that everybody can see what it consists of.
struct Crafted: Sendable, CustomTestStringConvertible {
  /// `websocket/rules/input.pcap`.
  var path: String
  var build: @Sendable () -> [UInt8]

  init(_ path: String, _ build: @escaping @Sendable () -> [UInt8]) {
    (self.path, self.build) = (path, build)
  }

  static let all =
    webSocket + webSocketGaps + rawSocket + stomp + wamp + serializers + flatBuffers + wampv1
    + jsonrpc
    + json + jsonProtocols + sessions + checks + traces + http + http2 + tcp + throughTunnels + pcap
    + pcapng
    + gzip
    + merged + mqtt + socketIO + sockJS

  var testDescription: String { path }

  private var file: URL { Sample.root.appending(path: path) }

  /// What is committed.
  var committed: [UInt8]? { (try? Data(contentsOf: file)).map { Array($0) } }

  static func writeAll() {
    for crafted in all {
      let bytes = crafted.build()
      if bytes == crafted.committed { continue }
      let folder = crafted.file.deletingLastPathComponent()
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try? Data(bytes).write(to: crafted.file)
    }
  }
}

@Suite("Crafted samples", .serialized) struct CraftedTests {
  @Test("are what the code builds", arguments: Crafted.all)
  func isReproducible(_ crafted: Crafted) {
    if Sample.isUpdating { return }
    let isSame = crafted.build() == crafted.committed
    #expect(isSame, "\(crafted.path) is not what the code builds; UPDATE_SAMPLES=1 writes it")
  }
}
