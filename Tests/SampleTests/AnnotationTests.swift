// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// `wamptap annotate` writes every packet as it is, with the lines about it.
@Suite("Annotated captures") struct AnnotationTests {
  private static let samples = ["wamp/rpc", "mqtt/exchanges", "tcp/snaplen"]

  @Test("tell the same as the capture, line by line", arguments: samples)
  func same(_ name: String) throws {
    let folder = Sample(name: name).folder
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let made = try Program.run(["annotate", "input.pcap", "-w", file.path], in: folder)
    #expect(made.output == "")
    let first = try Program.run(["input.pcap"], in: folder).output
    #expect(try Program.run([file.path], in: folder).output == first)
    // All but the summary stands beside a packet.
    let written = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    for line in first.split(separator: "\n").dropLast() {
      #expect(written.contains(line), "\(line)")
    }
  }

  @Test("need packets, and another name than the capture's") func refusals() throws {
    let folder = Sample(name: "wamp/rpc").folder
    let own = try Program.run(["annotate", "input.pcap", "-w", "input.pcap"], in: folder)
    #expect(own.status == 64)
    let missing = try Program.run(["annotate", "no-file", "-w", "out.pcapng"], in: folder)
    #expect(missing.status == 2)
  }

  @Test("go to standard output") func standardOutput() throws {
    let folder = Sample(name: "wamp/rpc").folder
    let made = try Program.shell(
      "\"$wamptap\" annotate input.pcap -w - | \"$wamptap\" -", in: folder)
    #expect(try Program.run(["input.pcap"], in: folder).output == made.output)
  }
}
