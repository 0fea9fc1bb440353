// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The ids of sessions in what servers print of them besides packets: `engine handshaking client
/// "YDLlC3l_Fq6j2lvJAAAA" (websocket)`. Who has one can read and write.
enum EngineIOInText {
  /// What stands before them (engine.io, and socket.io, which calls a connection by its session).
  private static let before: [StaticString] = [
    "handshaking client \"", "unknown sid \"", "incoming connection with id ",
  ]

  static func sessions(_ text: RawSpan) -> [Range<Int>] {
    before.flatMap { words in
      var found: [Range<Int>] = []
      var at = 0
      while let place = text.firstIndex(of: words, from: at) {
        let start = place + words.utf8CodeUnitCount
        at = start
        while at < text.byteCount, text.byte(at: at).isWord || text.byte(at: at) == .hyphen {
          at += 1
        }
        if at > start { found.append(start..<at) }
      }
      return found
    }
  }
}
