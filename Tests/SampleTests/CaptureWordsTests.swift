// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

@testable import wamptap

/// Words of the command line and of the shell that are about capturing.
@Suite("Words about capturing") struct CaptureWordsTests {
  @Test(
    arguments: [
      ("30s", 30), ("5m", 300), ("2h", 7200), ("1d", 86_400), ("500ms", 0.5), ("7", 7),
      ("1.5m", 90), ("", nil), ("s", nil), ("0s", nil), ("-1s", nil), ("5 m", nil), ("1w", nil),
      ("1e3", nil), ("1.2.3", nil), ("99999999999d", nil),
    ] as [(String, Double?)])
  func timeSpan(_ text: String, _ seconds: Double?) {
    #expect(TimeSpan(argument: text)?.seconds == seconds)
  }

  @Test(
    arguments: [
      ("eth0", "eth0"), ("", "''"), ("port 80", "'port 80'"), ("a'b", #"'a'\''b'"#),
      ("$(x)", "'$(x)'"), ("#1", "'#1'"), ("x#1", "x#1"), ("é", "'é'"),
    ])
  func quoting(_ word: String, _ quoted: String) {
    #expect(CapturePermission.quoted(word) == quoted)
  }

  @Test("a file is no filter", arguments: [["-i", "lo", "input.pcap"], ["-i", "lo", "-"]])
  func files(words: [String]) throws {
    let folder = Sample.root.appending(path: "wamp/chat")
    let outcome = try Program.run(words, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains("'\(words[2])' is a file to be read"))
    let both = try Program.run(["-i", "lo", "-r", "input.pcap"], in: folder)
    #expect(both.status == 64 && both.complaints.contains("leave out -i to read 'input.pcap'"))
  }

  @Test func remedies() {
    let lines = CapturePermission.remedies(
      interfaces: ["eth0"], filter: "tcp port 80", words: ["-i", "eth0", "a b"])
    #expect(lines.last?.contains("tcpdump -i eth0 -U -w - tcp port 80 | ") == true)
    if !Privileges.isRoot { #expect(lines.contains { $0.hasSuffix(" -i eth0 'a b'") }) }
  }
}
