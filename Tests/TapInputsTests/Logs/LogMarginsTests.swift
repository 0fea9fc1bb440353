// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// What collectors, terminals and pagers put before each line, or leave at its end, changes no
/// message and nobody who sends it.
@Suite struct LogMarginsTests {
  /// Messages over several lines, in all the ways in which they are printed.
  private static let samples = [
    "pretty/input.json", "pretty/input.node", "pretty/input.lines",
    "autobahn-js/input.trace", "wampy/input.log", "interrupted/input.pretty", "words/input.log",
  ]

  private static let margins: [(name: String, make: @Sendable (Int, String) -> String)] = [
    ("CRLF", { $1 + "\r" }),
    ("CR CR LF", { $1 + "\r\r" }),
    ("Docker Compose", { "app-1  | " + $1 }),
    ("Docker Compose, trimmed", { $1.isEmpty ? "app-1  |" : "app-1  | " + $1 }),
    ("pm2", { "0|app  | " + $1 }),
    ("kubectl", { "[pod/app-6d5f7-x2k/app] " + $1 }),
    ("syslog", { "Nov 20 23:34:5\($0 % 10) host app[123]: " + $1 }),
    ("a build", { "2026-11-20T23:34:5\($0 % 10).1234567Z " + $1 }),
    ("a container", { "2026-11-20T23:34:5\($0 % 10).123456789Z stdout F " + $1 }),
    ("cat -n", { String(repeating: " ", count: 6 - "\($0)".count) + "\($0)\t" + $1 }),
    ("grep -n", { "\($0):" + $1 }),
    ("grep -n, with names", { "app.log:\($0):" + $1 }),
  ]

  private func read(_ text: String) -> [String] {
    let sink = LikeFloor()
    var input = LogLine.input(text)
    input.receive(Array(text.utf8).span.bytes, sink)
    input.finish(sink)
    // White space between the elements of a list is that of its lines.
    return sink.told.map { $0.drop { $0 != " " }.filter { !$0.isWhitespace } }
  }

  @Test(arguments: samples) func changeNothing(sample: String) throws {
    let text = try String(contentsOf: logSamples.appending(path: sample), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let plain = read(text)
    #expect(!plain.isEmpty)
    for (name, make) in Self.margins {
      let other = lines.enumerated().map { make($0 + 1, String($1)) + "\n" }.joined()
      #expect(read(other) == plain, "\(name)")
    }
  }
}
