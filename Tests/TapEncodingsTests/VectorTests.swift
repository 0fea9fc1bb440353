// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEncodings
import Testing

/// Values as the implementations of PyPI read them; `Tests/Vectors/generate.py` made them.
@Suite("Values that others have read") struct VectorTests {
  struct Vector {
    var octets: [UInt8]
    var text: String
  }

  static func vectors(_ serializer: Serializer) throws -> [Vector] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors")
    let file = try String(
      contentsOf: folder.appending(path: "\(serializer).txt"), encoding: .utf8)
    return file.split(separator: "\n").map { line in
      let space = line.firstIndex(of: " ")!
      return Vector(
        octets: hex(line[..<space]), text: String(line[line.index(after: space)...]))
    }
  }

  @Test(arguments: Serializer.allCases)
  func same(serializer: Serializer) throws {
    let vectors = try Self.vectors(serializer)
    #expect(vectors.count >= 900)
    // One transcoder for all: nothing of a message may be left to the next.
    var transcoder = Transcoder(maximumDepth: 64, maximumBytes: 1 << 20)
    for vector in vectors {
      let reported = Transcoded(vector.octets, serializer, with: &transcoder)
      #expect(reported.text == vector.text, "\(reported)")
      #expect(reported.end == vector.octets.count)
    }
  }

  @Test(
    "every beginning is incomplete, and the end is where it was", arguments: Serializer.allCases)
  func cuts(serializer: Serializer) throws {
    var transcoder = Transcoder(maximumDepth: 64, maximumBytes: 1 << 20)
    for vector in try Self.vectors(serializer).prefix(600) {
      for cut in 0..<vector.octets.count {
        let reported = Transcoded(Array(vector.octets[..<cut]), serializer, with: &transcoder)
        let problem = reported.fault?.problem
        #expect(problem == .incomplete || problem == .overlong, "\(cut): \(reported)")
        #expect(reported.text == nil)
      }
      let more = Transcoded(vector.octets + vector.octets, serializer, with: &transcoder)
      #expect(more.end == vector.octets.count)
      #expect(more.text == vector.text)
    }
  }
}
