// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapCheck
import TapDialects
import TapEvidence
import TapFilter
import TapInspector
import TapNames
import TapRender
import TapSources
import TapTraffic

/// One run over the evidence that was named: sets everything up, reads, and says how it went.
struct Run {
  private(set) var request: Request
  let options: RunOptions
  /// Makes the renderer, unless it is the one of the output format.
  let make: ((LineRenderer.Options, [String]) -> any Renderer)?
  /// Nil for all commands but `check`.
  let checking: CheckSetup?
  /// Evidence that is read one after the other, by its numbers among the names.
  let groups: [[Int]]
  let limits = Limits()
  let foresight = Foresight()
  /// A temporary file. It keeps the packets of a live capture until it is known which of them
  /// `--save` wants; nil where none is needed.
  private(set) var part: String?

  init(
    _ request: Request, _ options: RunOptions, checking: CheckSetup? = nil,
    make: ((LineRenderer.Options, [String]) -> any Renderer)? = nil
  ) {
    (self.request, self.options, self.checking, self.make) = (request, options, checking, make)
    self.request.choice.keepsContext = options.output.context
    if let path = options.saving?.path, request.isLive && request.path == nil {
      // What matches shows only later, so that all packets are kept until then.
      part = "\(path).part"
      self.request.path = part
    }
    self.request.choice.recogniser = { [limits, dialect = request.choice.dialect] in
      DialectTextRecogniser(limits: limits, dialect: dialect)
    }
    self.request.choice.earlierFinding = KnownFindings.earlier
    let names = request.names
    // Each file that is followed is read for itself.
    groups =
      options.stream.follows
      ? names.indices.map { [$0] }
      : RotatedLogs.group(names) { names[$0] != "-" && !request.isPasted($0) }
  }

  var names: [String] { request.names }

  /// All files that are read.
  private var inputs: [String] {
    let inFolders = read.flatMap { name in
      ((try? Folder.names(in: name)) ?? []).map { "\(name)/\($0)" }
    }
    return names + inFolders + options.keyLog.files
      + [options.naming?.path(beside: read)].compactMap { $0 }
      + (checking?.files(beside: read) ?? [])
  }

  /// The names that are files, folders or standard input, not pasted text.
  var read: [String] { names.indices.filter { !request.isPasted($0) }.map { names[$0] } }

  func run() throws {
    Terminal.ignoreBrokenPipes()
    Terminal.holdStandardStreams()
    if names.contains("-") { StandardInput.look() }
    try checkNames()
    try checkWritten()
    try checkSaving()
    defer { removePart() }
    let evidence = try openEvidence()
    let questions = try loadQuestions()
    // Opening a pipe may wait for its other end.
    Interruption.arm(limit: options.stream.span?.seconds)
    let destination = try openDestination(evidence.capture)
    evidence.capture.announce(evidence.sources)
    var pipeline: Pipeline
    do {
      try prepare(questions)
      pipeline = try makePipeline(evidence, questions, destination)
    } catch {
      destination.output.discard()
      throw error
    }
    guard try read(&pipeline, questions) else { return }
    try judge(pipeline, questions)
  }

  // MARK: - What it needs

  /// What is read.
  private struct Evidence {
    let capture: Capture
    /// Interfaces; none for files.
    let sources: [LiveSource]
    let keyLogs: [KeyLogFile]
    let filter: PacketFilter?
  }

  private func openEvidence() throws -> Evidence {
    let capture = Capture(request: request, isQuiet: options.output.quiet)
    if !request.isLive { try capture.dropCapabilities() }
    // A caller through sudo may read what root may; that of a set-user-id program may not.
    let early = Privileges.areOwn ? try openKeyLogs() : nil
    // Opened before all else: the rights that only this needs are given up here.
    let sources = try capture.open()
    return Evidence(
      capture: capture, sources: sources, keyLogs: try early ?? openKeyLogs(),
      filter: try capture.openFilter())
  }

  /// What the user asks about the messages.
  private struct Questions {
    let named: Names
    /// Which of them are shown; nil for all.
    let shown: FilterRun?
    let checked: CheckRun?
  }

  private func loadQuestions() throws -> Questions {
    let named = try options.naming?.load(beside: read, isQuiet: options.output.quiet) ?? Names()
    return Questions(
      named: named, shown: try loadFilter(named), checked: try loadChecks(named))
  }

  /// Where all of it is written.
  private struct Destination {
    let output: Output
    /// For packets.
    let file: CaptureFile?
  }

  private func openDestination(_ capture: Capture) throws -> Destination {
    let output = try open()
    let file: CaptureFile?
    do {
      file = try capture.openFile(besides: inputs)
    } catch {
      output.discard()
      throw error
    }
    if output.isReplaced(by: file) {
      output.discard()
      Terminal.report("-O and -w name the same file; packets and text need one each")
      throw ExitCode(64)
    }
    return Destination(output: output, file: file)
  }

  /// The readings before the one that shows something.
  private func prepare(_ questions: Questions) throws {
    try foresee(questions.named)
    if let shown = questions.shown {
      try prepare(shown.passes, questions.named, shown.collector)
    }
    if let checked = questions.checked {
      try prepare(checked.passes, questions.named, checked.collector)
    }
  }

  // MARK: - Reading

  /// What takes part in the reading that shows messages.
  private struct Pipeline {
    let sources: [LiveSource]
    var reading: any MainLoop
    /// Filters or keeps packets on their way to the engine; nil where neither is asked for.
    let packetFilter: PacketFilterSink?
    let engine: Engine
    let inspector: Inspector
    let destination: Destination

    func closeFile() { destination.file?.close(sources.map(\.statistics)) }
  }

  private func makePipeline(
    _ evidence: Evidence, _ questions: Questions, _ destination: Destination
  ) throws -> Pipeline {
    let (output, file) = (destination.output, destination.file)
    let most = questions.shown?.countsItself == true ? 1 : options.stream.count ?? .max
    let inspector = makeInspector(questions.named, makeRenderer(questions.shown), most: most)
    let engine = Engine(
      inspector, limits: limits, dialect: request.dialect, successions: groups,
      ordersByTime: isReadableAgain)
    try follow(evidence.keyLogs, onto: engine)
    findSecretsAhead(for: engine)
    let packetFilter =
      evidence.filter == nil && (file == nil || request.isLive)
      ? nil : PacketFilterSink(engine, evidence.filter, file, expression: request.filter)
    let reading: any MainLoop =
      request.isLive
      ? LiveReading(
        evidence.sources, file, inspector, output, limits: limits, screen: makeScreen(inspector))
      : makeReading(inspector, file == nil ? engine : nil, output, file)
    return Pipeline(
      sources: evidence.sources, reading: reading, packetFilter: packetFilter, engine: engine,
      inspector: inspector, destination: destination)
  }

  /// - Returns: false if nobody reads the output any more.
  private func read(_ pipeline: inout Pipeline, _ questions: Questions) throws -> Bool {
    let (engine, inspector) = (pipeline.engine, pipeline.inspector)
    let output = pipeline.destination.output
    do {
      try pipeline.reading.run(onto: pipeline.packetFilter ?? engine)
      pipeline.closeFile()
      let failures = pipeline.reading.failures
      if failures > 0 {
        questions.checked?.unreadable.append("\(counted(failures, "file")) could not be read")
      }
      engine.finish(!inspector.wantsMore ? .count : pipeline.reading.stop ?? foresight.stop)
      outcome.reportRecognitions(engine)
      if let shown = questions.shown { report(shown) }
      try inspector.withText { try output.flush(&$0) }
      // A name mistyped must not cost the file that was written last time.
      let summary = inspector.summary
      if failures == names.count && summary.messages == 0 && !summary.hasPackets {
        output.discard()
      } else {
        try output.close()
      }
      return true
    } catch Output.Failure.brokenPipe {
      pipeline.closeFile()
      return false
    } catch let failure as Output.Failure {
      pipeline.reading.clearProgress()
      pipeline.closeFile()
      output.discard()
      throw report(failure)
    }
  }

  /// What is left to do and to report once all is shown; throws the exit status.
  private func judge(_ pipeline: Pipeline, _ questions: Questions) throws {
    outcome.reportRefusals(of: pipeline.engine)
    try save(questions.named)
    try checking?.write(besides: inputs)
    try outcome.throwIfPacketsAreLost(pipeline.packetFilter, pipeline.destination.file)
    Interruption.endIfAny(isExpected: request.isLive)
    let summary = pipeline.inspector.summary
    try outcome.throwExitStatus(summary, pipeline.engine, failures: pipeline.reading.failures)
    try options.failing?.judge(summary)
    try checking?.judge()
  }

  private var outcome: RunReport {
    RunReport(request: request, groups: groups, isQuiet: options.output.quiet)
  }

  /// The traffic is shown while it comes.
  var isEndless: Bool { request.isLive || options.stream.follows }

  private func loadChecks(_ named: Names) throws -> CheckRun? {
    let checked = try checking?.load(
      named, read: read, inputs: shownInputs, limits: limits, isEndless: isEndless,
      isQuiet: options.output.quiet)
    if let checked, checked.passes > 0 { try checkPasses() }
    return checked
  }

  private func open() throws -> Output {
    do {
      return try Output(
        path: options.output.path, inputs: inputs, isPrivate: options.output.showSecrets,
        outlivesReader: checking != nil || options.saving?.path != nil)
    } catch {
      throw report(error)
    }
  }

  func openKeyLogs() throws -> [KeyLogFile] {
    if options.keyLog.paths.count(where: { $0 == "-" }) + names.count(where: { $0 == "-" }) > 1 {
      Terminal.report("standard input can be named only once")
      throw ExitCode(64)
    }
    do {
      return try options.keyLog.open()
    } catch {
      Terminal.report(error.description)
      throw ExitCode(2)
    }
  }

  func follow(
    _ logs: [KeyLogFile], onto engine: Engine, isQuiet: Bool = false
  ) throws {
    do {
      try options.keyLog.follow(logs, onto: engine, isQuiet: isQuiet)
    } catch {
      Terminal.report(error.description)
      throw ExitCode(2)
    }
  }

  private func report(_ failure: Output.Failure) -> ExitCode {
    switch failure {
    case .brokenPipe: return ExitCode(0)
    case .noName:
      Terminal.report("-O takes the name of a file, and got an empty one")
      return ExitCode(64)
    case .isInput(let path):
      Terminal.report("\(path): is read, and would be replaced; choose another name")
      return ExitCode(64)
    case .unread(let path):
      Interruption.endIfAny(isExpected: false)
      Terminal.report("\(path): no process has opened it for reading")
      return ExitCode(2)
    case .cannotWrite(let path, let reason):
      Terminal.report("\(path): cannot be written: \(reason)")
      return ExitCode(2)
    }
  }

  /// - Parameter engine: what may run ahead of what is shown; nil where it may not.
  func makeReading(
    _ inspector: Inspector, _ engine: Engine?, _ output: Output, _ file: CaptureFile?
  ) -> Reading {
    let isAtOnce = options.stream.flushesLines || options.stream.follows
    let most = isAtOnce ? 4 << 10 : FileReader.chunkBytes
    let evidence = groups.map { group in
      InputFile(
        group.map { InputFile.Part(names[$0], $0) }, as: request.meaning(group[0]),
        most: groups.count == 1 ? most : min(most, InputFile.firstBytes),
        limits: limits, choice: request.choice, follows: options.stream.follows)
    }
    return Reading(
      evidence, inspector, options.stream.count == nil ? engine : nil, output, file,
      Reading.Options(
        most: most, readsAhead: request.jobs > 1, flushesLines: isAtOnce,
        follows: options.stream.follows,
        showsProgress: Terminal.showsProgress(outputIsFile: options.output.path != nil)),
      screen: makeScreen(inspector))
  }

  private func makeScreen(_ inspector: Inspector) -> PreviewScreen? {
    PreviewScreen(inspector, isFile: options.output.path != nil)
  }

  /// Inputs as outputs call them.
  var shownInputs: [String] {
    names.indices.map { request.isPasted($0) ? "argument" : Text.shown(names[$0]) }
  }

  private func makeRenderer(_ filter: FilterRun?) -> any Renderer {
    let isColored =
      switch options.output.color {
      case .always: true
      case .never: false
      case .auto: options.output.path == nil && Terminal.wantsColor
      }
    var line = options.output.line(
      width: options.output.path == nil ? Terminal.width : nil, isColored: isColored)
    // A user who asks for findings wants to see them.
    if filter?.filter.isAboutFindings == true { line.showsNotes = true }
    let inputs = shownInputs
    line.names = inputs
    if inputs.count > 1 { line.inputs = inputs }
    let renderer =
      checking?.renderer() ?? make?(line, inputs) ?? options.output.renderer!.make(line, inputs)
    return select(with: filter, renderer)
  }

  func makeInspector(
    _ named: Names, _ renderer: any Renderer, most: UInt64, collectsNames: Bool = false
  ) -> Inspector {
    var wishes = Inspector.Options()
    wishes.showsSecrets = options.output.showSecrets
    wishes.limits = limits
    wishes.names = named
    wishes.mostMessages = most
    (wishes.foreseen, wishes.collectsNames) = (foresight.names, collectsNames)
    return Inspector(renderer, wishes)
  }
}
