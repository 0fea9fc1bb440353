// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender
import TapTraffic

/// `wamptap flow FILE`: who said what to whom, as a ladder.
struct Flow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flow",
    abstract: "Draw the ladder of sessions: a column for each peer, an arrow for each message.",
    discussion: """
      Answers are dashed. Messages of one exchange have one number, over both of its legs. The \
      ladder is drawn when everything was read, as its columns are known only then.

      Exit status: 0 done, 2 an input that cannot be read, 64 bad usage.
      """)

  @OptionGroup var evidence: EvidenceOptions

  @OptionGroup var filtering: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Only exchanges about subjects that begin so, or match a pattern of * and ?.",
      valueName: "subject"))
  var subject: [String] = []

  @Option(help: ArgumentHelp("Only exchanges with a request of this number.", valueName: "number"))
  var request: [UInt64] = []

  @Option(
    help: ArgumentHelp(
      "Only sessions of this id; '#2' is the second connection.", valueName: "id"))
  var session: [String] = []

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "How to render: \(Self.formats).", valueName: "format"))
  var format = "text"

  @Option(
    help: ArgumentHelp(
      "Columns to draw in; those of the terminal, 100 without one.", valueName: "columns"))
  var width: Int?

  @Option(
    name: [.customShort("c"), .customLong("count")],
    help: ArgumentHelp("Stop after this many messages.", valueName: "number"))
  var count: UInt64?

  @OptionGroup var capture: CaptureOptions

  @OptionGroup var view: ViewOptions

  @OptionGroup var naming: NamesOptions

  @OptionGroup var keyLog: KeyLogOptions

  func validate() throws {
    if count == 0 { throw ValidationError("-c takes a number of messages, 1 or more") }
    if let width, !(40...10_000).contains(width) {
      throw ValidationError("--width takes a number of columns, 40 to 10000")
    }
    if ladder == nil {
      throw ValidationError("unknown output format '\(format)'; there are: \(Self.formats)")
    }
    _ = try session.map(Self.session)
  }

  private static var formats: String {
    Renderers.ladders.map(\.name).joined(separator: ", ")
  }

  private var ladder: Renderers.Ladder? { Renderers.ladders.first { $0.name == format } }

  func run() throws {
    guard let evidence = try capture.request(evidence, output: view.path) else {
      throw ValidationError("flow takes a capture, or reads standard input when that is piped")
    }
    var narrowing = LadderFilter()
    narrowing.subjects = subject
    narrowing.requests = request
    narrowing.sessions = try session.map(Self.session)
    let (width, ladder) = (width, ladder!)
    let options = RunOptions(
      output: try view.output(), stream: try view.stream(count: count), keyLog: keyLog,
      naming: naming, filtering: filtering)
    let run = Run(evidence, options) { line, _ in
      var line = line
      line.width = width ?? line.width
      return ladder.make(line, narrowing, Limits())
    }
    try run.run()
  }

  /// An id, or `#` and the number of a connection.
  private static func session(_ word: String) throws -> LadderFilter.Session {
    if word.hasPrefix("#"), let number = UInt32(word.dropFirst()) { return .connection(number) }
    if let id = UInt64(word) { return .id(id) }
    throw ValidationError("--session takes the id of a session, or '#' and a connection's number")
  }
}
