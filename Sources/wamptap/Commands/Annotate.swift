// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender
import TapSources
import TapTraffic

/// `wamptap annotate in.pcap -w out.pcapng`: a capture with what its packets mean.
struct Annotate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "annotate",
    abstract: "Write a capture again, each packet with what it means as its comment.",
    discussion: """
      Packets stay as they are, in their order; Wireshark and tshark show the comments \
      (frame.comment). The capture is read twice. Lines are masked, packets are not.

      Exit status: 0 done, 2 an input that cannot be read, 64 bad usage.
      """)

  @Argument(
    help: ArgumentHelp("A capture, pcap or pcapng, gzipped or not.", valueName: "capture"),
    completion: .file())
  var capture: String

  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp(
      "The pcapng file to be written; '-' for standard output.", valueName: "file"),
    completion: .file())
  var path: String

  @Option(name: .customShort("t"), help: OutputOptions.timeHelp)
  var time = OutputOptions.Time.r

  @OptionGroup var naming: NamesOptions

  @OptionGroup var keyLog: KeyLogOptions

  func validate() throws {
    if path.isEmpty { throw ValidationError("-w takes the name of a file") }
    if capture == "-" || Terminal.exists(capture) && !Terminal.isFile(capture) {
      throw ValidationError("annotate reads a capture twice, so it takes a file: '\(capture)'")
    }
  }

  func run() throws {
    if !Terminal.exists(capture) {
      Terminal.report(InputError(path: capture, .notFound).description)
      throw ExitCode(2)
    }
    var output = try OutputOptions.parse([])
    (output.color, output.time) = (.never, time)
    let annotations = Annotations(Limits())
    let options = RunOptions(
      output: output, stream: try StreamOptions.parse([]), keyLog: keyLog, naming: naming)
    let run = Run(Request(names: [capture], files: 1), options) { line, _ in
      var line = line
      line.width = nil
      return AnnotationRenderer(line, annotations)
    }
    let status = ExitCode(try run.status())
    try run.annotate(path, with: annotations)
    if status != .success { throw status }
  }
}
