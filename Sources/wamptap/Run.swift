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
    try checkSaving()
    defer { removePart() }
    let capture = Capture(request: request, isQuiet: options.output.quiet)
    if !request.isLive { try capture.dropCapabilities() }
    // A caller through sudo may read what root may; that of a set-user-id program may not.
    let early = Privileges.areOwn ? try openKeyLogs() : nil
    // Opened before all else: the rights that only this needs are given up here.
    let sources = try capture.open()
    let keyLogs = try early ?? openKeyLogs()
    let filter = try capture.openFilter()
    let named = try loadNames()
    let shown = try loadFilter(named)
    let checked = try loadChecks(named)
    // Opening a pipe may wait for its other end.
    Interruption.arm(limit: options.stream.span?.seconds)
    let output = try open()
    let file = try capture.openFile(besides: inputs)
    if output.isReplaced(by: file) {
      output.discard()
      Terminal.report("-O and -w name the same file; packets and text need one each")
      throw ExitCode(64)
    }
    capture.announce(sources)
    try foresee(named)
    if let shown { try prepare(shown.passes, named, shown.collector) }
    if let checked { try prepare(checked.passes, named, checked.collector) }
    let most = shown?.countsItself == true ? 1 : options.stream.count ?? .max
    let inspector = makeInspector(named, makeRenderer(shown), most: most)
    let engine = Engine(
      inspector, limits: limits, dialect: request.dialect, successions: groups,
      ordersByTime: isReadableAgain)
    try follow(keyLogs, onto: engine)
    let filtered =
      filter == nil && (file == nil || request.isLive)
      ? nil : PacketFilterSink(engine, filter, file, expression: request.filter)
    var reading: any MainLoop =
      request.isLive
      ? LiveReading(
        sources, file, inspector, output, limits: limits, screen: makeScreen(inspector))
      : makeReading(inspector, file == nil ? engine : nil, output, file)
    do {
      try reading.run(onto: filtered ?? engine)
      file?.close(sources.map(\.statistics))
      if reading.failures > 0 { checked?.unreadable.append(unread(reading.failures)) }
      engine.finish(!inspector.wantsMore ? .count : reading.stop ?? foresight.stop)
      reportRecognitions(engine)
      if let shown { report(shown) }
      try inspector.withText { try output.flush(&$0) }
      // A name mistyped must not cost the file that was written last time.
      if reading.failures == names.count && !hasReported(inspector) {
        output.discard()
      } else {
        try output.close()
      }
    } catch Output.Failure.brokenPipe {
      file?.close(sources.map(\.statistics))
      return
    } catch let failure as Output.Failure {
      reading.clearProgress()
      file?.close(sources.map(\.statistics))
      output.discard()
      throw report(failure)
    }
    reportRefusals(of: engine)
    try save(named)
    try checking?.write(besides: inputs)
    try throwIfPacketsAreLost(filtered, file)
    Interruption.endIfAny(isExpected: request.isLive)
    try throwExitStatus(inspector.summary, engine, reading)
    try options.failing?.judge(inspector.summary)
    try checking?.judge()
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

  private func unread(_ count: Int) -> String {
    "\(counted(count, "file")) could not be read"
  }

  /// Refuses too many names, and standard input named twice.
  private func checkNames() throws {
    if names.count > Int(UInt16.max) {
      Terminal.report("\(names.count) files are more than can be read at once")
      throw ExitCode(64)
    }
    if names.count(where: { $0 == "-" }) > 1 {
      Terminal.report("standard input can be named only once")
      throw ExitCode(64)
    }
  }

  private func open() throws -> Output {
    do {
      return try Output(
        path: options.output.path, inputs: inputs, isPrivate: options.output.showSecrets)
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
      let isPasted = request.isPasted(group[0])
      return InputFile(
        group.map { InputFile.Part(names[$0], $0) }, isPasted: isPasted,
        isNamedAsFile: group[0] < request.files, most: most, isAlone: groups.count == 1,
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

  private func loadNames() throws -> Names {
    try options.naming?.load(beside: read, isQuiet: options.output.quiet) ?? Names()
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

  /// An input as people call it.
  private func called(_ number: Int) -> String {
    let name = names[number]
    return request.isPasted(number) ? "argument" : name == "-" ? "standard input" : name
  }

  /// How evidence was read that does not say itself what it is.
  private func reportRecognitions(_ engine: Engine) {
    if options.output.quiet { return }
    for (input, what) in engine.recognitions {
      let log = groups.first { $0.contains(Int(input)) } ?? [Int(input)]
      // Of more than four files of a rotated log, only the oldest and the newest are named.
      let shown = log.count > 4 ? [log[0], log[log.count - 1]] : log
      let called = shown.map(called).joined(separator: log.count > 4 ? " … " : ", ")
      Terminal.report("\(called): \(what)")
    }
  }

  /// Pasted messages and bytes that are none.
  private func reportRefusals(of engine: Engine) {
    for refusal in engine.refusals {
      let number = Int(refusal.input)
      let name = request.isPasted(number) ? "" : "\(called(number)): "
      let place = refusal.offset > 0 ? " (at byte \(refusal.offset))" : ""
      Terminal.report("\(name)\(refusal.complaint)\(place): \(refusal.reason)")
    }
    if engine.refusalCount > engine.refusals.count {
      Terminal.report("and \(engine.refusalCount - engine.refusals.count) more that are not")
    }
  }

  private func hasReported(_ inspector: Inspector) -> Bool {
    let summary = inspector.summary
    return summary.messages > 0 || summary.hasPackets
  }

  /// Packets that could not be filtered or kept.
  private func throwIfPacketsAreLost(_ filtered: PacketFilterSink?, _ file: CaptureFile?) throws {
    if let failure = filtered?.failure {
      Terminal.report("\(failure.description); its packets are left out")
      throw ExitCode(2)
    }
    if let octets = file?.omittedSecretBytes, octets > 0 {
      Terminal.report(
        "there are more TLS secrets than each file can have: \(octets) bytes of them are only in"
          + " the file where they came")
    }
    if let failure = file?.failure { throw Capture.report(failure) }
  }

  private func throwExitStatus(
    _ summary: Summary, _ engine: Engine, _ reading: any MainLoop
  ) throws {
    for damage in summary.damages {
      Terminal.report("\(called(Int(damage.origin.input))): \(damage.text)")
    }
    if reading.failures > 0 || engine.refusalCount > 0 { throw ExitCode(2) }
    // Text in an argument was meant to be a message.
    let isPastedOnly = names.indices.allSatisfy {
      request.isPasted($0) && Pasted.isText(names[$0])
    }
    if summary.messages == 0 && !summary.hasPackets && isPastedOnly { throw ExitCode(2) }
    let hasTraffic = summary.messages > 0 || summary.hasPackets
    // An error without a single packet or message is about the file: nothing of it could be read.
    if !hasTraffic && summary.errors > 0 {
      Terminal.report("\(names.joined(separator: ", ")): nothing of it could be read")
      throw ExitCode(2)
    }
    if !summary.damages.isEmpty { throw ExitCode(2) }
    if hasTraffic { return }
    // Of a text without messages, it was already reported what was looked for.
    let isSaid = !options.output.quiet && !engine.recognitions.isEmpty
    if summary.warnings + summary.notes == 0 && !isSaid {
      Terminal.report("\(names.joined(separator: ", ")): no packet and no message in it")
    }
  }
}
