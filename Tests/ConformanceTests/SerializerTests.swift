// SPDX-License-Identifier: Apache-2.0
import Crypto
import TapBytes
import TapEncodings
import TapTesting
import Testing

/// Messages of binary serializers, transcoded, are what the endpoint wrote down.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct SerializerTests {
  struct Capture: Sendable, CustomTestStringConvertible {
    var file: String
    var batch: Batch.Form?
    var messages: Int
    var testDescription: String { file }
  }

  static let all: [Capture] = [
    Capture(file: "wamp-ser-msgpack", batch: nil, messages: 72),
    Capture(file: "wamp-ser-cbor-batched", batch: .prefixed, messages: 72),
    Capture(file: "wamp-ser-ubjson", batch: nil, messages: 72),
    Capture(file: "wamp-ser-json-batched", batch: .separated, messages: 72),
    Capture(file: "wamp-deflate-msgpack", batch: nil, messages: 105),
  ]

  /// What an endpoint was told to use; nil is JSON. (This autobahn sends BJData for UBJSON.)
  private static let serializers: [String: Serializer?] = [
    "json": nil, "msgpack": .messagePack, "cbor": .cbor, "ubjson": .bjdata,
  ]

  private struct Sent: Equatable {
    var serializer: Serializer?
    var message: Value
  }

  @Test(arguments: all)
  func everyMessage(capture: Capture) throws {
    let decoded = try Decoded(capture: capture.file + ".pcap")
    let truth = try #require(Captures.truth(capture.file + ".client.jsonl"))
    // By what was sent: the same octets are always the same message.
    var rows: [String: [Sent]] = [:]
    for line in try Captures.lines(of: truth) {
      let row = try ValueReader.read(line)
      let name = String(row["ser"]?.text?.prefix { $0 != "." } ?? "")
      let serializer = try #require(Self.serializers[name])
      let message = (row["msg"] ?? .null).withOctetsAsWAMP
      rows[row["sha1"]?.text ?? "", default: []]
        .append(Sent(serializer: serializer, message: message))
    }
    var transcoder = Transcoder(maximumDepth: 512, maximumBytes: 64 << 20)
    var text = TextBuffer()
    var matched = 0
    for told in decoded.data {
      // All messages of a batch have its checksum.
      var expected = try #require(rows[told.sha1], "\(told.name) was not sent")
      let octets = told.octets
      for range in Self.pieces(octets, capture.batch) {
        text.removeAll()
        let serializer = expected.first?.serializer
        if let serializer {
          let bytes = octets.span.bytes.extracting(0..<range.upperBound)
          let end = transcoder.transcode(bytes, serializer, from: range.lowerBound, into: &text)
          #expect(end == range.upperBound, "\(transcoder.fault?.description ?? "")")
          #expect(transcoder.peculiarityCount == 0)
        }
        let json = serializer == nil ? Array(octets[range]) : text.bytes.copied()
        let value = try ValueReader.read(json).asPythonReadsIt
        let place = expected.firstIndex { $0.message == value }
        #expect(place != nil, "\(String(decoding: json, as: Unicode.UTF8.self))")
        if let place { expected.remove(at: place) }
        matched += 1
      }
      rows[told.sha1] = expected.isEmpty ? nil : expected
    }
    #expect(matched == capture.messages)
    #expect(rows.isEmpty)
  }

  private static func pieces(_ octets: [UInt8], _ form: Batch.Form?) -> [Range<Int>] {
    guard let form else { return [octets.indices] }
    var batch = Batch(form)
    var pieces: [Range<Int>] = []
    while let piece = batch.next(octets.span.bytes) { pieces.append(piece) }
    #expect(batch.problem == nil)
    return pieces
  }

  @Test("the dialect of UBJSON is found in the messages themselves") func dialect() throws {
    let decoded = try Decoded(capture: "wamp-ser-ubjson.pcap")
    var transcoder = Transcoder(maximumDepth: 512, maximumBytes: 64 << 20)
    var text = TextBuffer()
    var found: [Serializer: Int] = [:]
    for told in decoded.data {
      let octets = told.octets
      if let dialect = transcoder.dialect(ofUBJSON: octets.span.bytes, &text) {
        found[dialect, default: 0] += 1
      }
    }
    #expect(found[.ubjson] == nil)
    #expect(found[.bjdata] ?? 0 > 30)
  }
}
