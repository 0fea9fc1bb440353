// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Every case of `samples/` is run as its transcript says and must print what stands there.
/// `UPDATE_SAMPLES=1` rewrites the transcripts; read the difference before it is committed.
@Suite("Samples", .serialized) struct TranscriptTests {
  @Test("folders are protocols") func folders() {
    #expect(Sample.entries(Sample.root) == Sample.protocols)
    #expect(!Sample.all.isEmpty)
  }

  @Test("a case is complete and small", arguments: Sample.all)
  func form(_ sample: Sample) {
    if Sample.isUpdating { return }
    let expected = Set(sample.inputs + ["README", "transcript.txt"])
    // Names and expectations are found beside the input, and so is what an endpoint wrote down.
    let files = Set(sample.files).subtracting([
      "wamptap.yaml", "wamptap-check.yaml", "client.jsonl",
    ])
    #expect(files == expected, "stray or missing files")
    #expect(sample.readme.count == 2, "two lines: what it shows and where it is from; findings")
    #expect(sample.expectedCodes != nil, "the second line is 'findings: …' or 'findings: none'")
    #expect(sample.inputs.reduce(0) { $0 + sample.size($1) } <= Sample.largest)
    let commands = sample.commands.joined(separator: " ")
    for input in sample.inputs {
      #expect(commands.contains(input), "no command reads \(input)")
    }
  }

  @Test("prints what the transcript says", arguments: Sample.all)
  func transcript(_ sample: Sample) throws {
    let path = sample.folder.appending(path: "transcript.txt")
    let written = sample.text("transcript.txt")
    var commands = sample.commands
    if Sample.isUpdating && commands.isEmpty {
      commands = sample.inputs.map { "wamptap \($0)" }
    }
    try #require(!commands.isEmpty, "no transcript")
    var actual = ""
    for line in commands {
      let command = try CommandLineText(line)
      let outcome = try Program.run(command, in: sample.folder)
      actual += "$ \(line)\n" + outcome.transcript
    }
    if Sample.isUpdating {
      if actual != written { try actual.write(to: path, atomically: true, encoding: .utf8) }
      return
    }
    guard let written, actual != written else { return }
    let old = written.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let place =
      zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    Issue.record(
      """
      \(sample.name)/transcript.txt differs from line \(place + 1):
      - \(place < old.count ? old[place] : "(no more)")
      + \(place < new.count ? new[place] : "(no more)")
      """)
  }
}
