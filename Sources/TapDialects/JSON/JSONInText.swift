// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Objects of JSON in a text around messages: a line of a log that nobody took for a message may be
/// one, with credentials that only a dialect knows.
enum JSONInText {
  /// Where such credentials stand: those of an object within another may be found twice.
  static func secrets(in text: RawSpan) -> [Range<Int>] {
    let limits = Limits.standard
    var scanner = JSONScanner(maximumDepth: limits.nesting)
    var found: [Range<Int>] = []
    var at = 0
    // Bytes to go over: those of objects inside of each other are gone over for each of them.
    var left = limits.openLists * text.byteCount
    while left > 0, let start = text.firstIndex(of: .openBrace, from: at) {
      let rest = text.dropping(start)
      at = start + 1
      guard let end = scanner.scan(rest) else {
        left -= scanner.offset + 1
        continue
      }
      left -= end
      let object = rest.extracting(0..<end)
      var notes = WorkingList<Note>()
      JSONSecrets.append(
        to: &notes, JSONRPCMessage(scanner.members, object), object, most: limits.maskedValues)
      let handshake = EngineIOHandshake(object)
      if let session = handshake.session, handshake.upgrades != nil {
        notes.append(Note(.secret, "session", session.content))
      }
      for index in 0..<notes.count {
        let range = notes[index].range
        found.append(start + range.start..<start + range.end)
      }
    }
    return found
  }
}
