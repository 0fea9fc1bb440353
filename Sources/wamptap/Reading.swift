// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapInspector
import TapSources
import TapTraffic

/// The main loop: chunks in, text out; everything between happens inside one call. One piece of
/// evidence goes straight to the sink, several are merged by a timeline.
struct Reading: MainLoop {
  struct Options {
    /// Bytes that are read at once, at most those of a chunk.
    var most: Int
    /// Long files may be read by other threads.
    var readsAhead: Bool
    var flushesLines: Bool
    /// Files are read on behind their ends.
    var follows: Bool
    var showsProgress: Bool
  }

  private var evidence: [InputFile]
  private var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileReader.chunkBytes)
  private var progress: Progress?
  /// The preview on the terminal; nil where none is shown.
  private var screen: PreviewScreen?
  private let inspector: Inspector
  /// What other threads may decode with; nil where packets have to be decoded in step with what is
  /// shown.
  private let engine: Engine?
  /// Bytes that other threads have read.
  private var readByOthers: UInt64 = 0
  private let output: Output
  /// Keeps the packets that are read; nil for none.
  private let file: CaptureFile?
  private let options: Options
  /// The last step found the end of a file that may grow.
  private var isIdle = false
  /// Some of it arrives as it happens, and is shown as it happens.
  private var isLive = false
  /// Programs that pass packets on may hold them back for up to a second, and networks, too.
  private var silence = IdleTimer(underWay: 1_000_000_000)

  /// Nanoseconds that what is added to a file waits for earlier lines of others: programs write
  /// their logs at once, or when a buffer is full.
  private static let patience: UInt64 = 100_000_000

  /// Bytes of captures that are worth a thread of their own.
  private static let longBytes: UInt64 = 4 << 20

  private let start = Clock.now()

  /// Reports no errors, as another reading of the same evidence does.
  var isQuiet = false

  /// Evidence that could not be read, or not to its end.
  private(set) var failures = 0
  /// Why the evidence was not read to its end.
  private(set) var stop: Summary.Stop?

  init(
    _ evidence: [InputFile], _ inspector: Inspector, _ engine: Engine?, _ output: Output,
    _ file: CaptureFile?, _ options: Options, screen: PreviewScreen? = nil
  ) {
    (self.evidence, self.inspector, self.engine) = (evidence, inspector, engine)
    (self.output, self.file, self.options, self.screen) = (output, file, options, screen)
    progress = options.showsProgress ? Progress() : nil
  }

  /// Reads until all of it has ended, or it is to stop.
  mutating func run(onto sink: any EvidenceSink) throws {
    let isOpen = try open()
    if evidence.count == 1 {
      while isOpen[0], try step(0, sink) { if try readRestAhead(nil, sink) { break } }
    } else if options.follows {
      return try follow(evidence.indices.filter { isOpen[$0] }, onto: sink)
    } else {
      let timeline = Timeline(count: evidence.count, onto: sink)
      for number in evidence.indices where !isOpen[number] { timeline.end(number) }
      while stop == nil, let number = timeline.advance() {
        if try !step(number, timeline.sink(number)) { timeline.end(number) }
        evidence[number].adapt(waiting: timeline.waitingBytes(number), most: options.most)
        if stop == nil, try readRestAhead(timeline, sink) { break }
      }
    }
    if evidence.count == 1, let stop { conclude(stop, sink) }
    clearProgress()
  }

  /// Has other threads read the rest, if it is long enough to be worth it.
  ///
  /// - Returns: false where nothing was read.
  private mutating func readRestAhead(
    _ timeline: Timeline?, _ sink: any EvidenceSink
  ) throws -> Bool {
    guard options.readsAhead, !options.flushesLines else { return false }
    if timeline == nil, evidence[0].isLongText, let ahead = LogReadAhead(evidence[0]) {
      try take(ahead) { $0.play(onto: sink) }
      return true
    }
    guard let engine, evidence.allSatisfy(\.isCapture),
      evidence.reduce(0, { $0 + ($1.size ?? 0) }) >= Self.longBytes,
      let ahead = CaptureReadAhead(evidence, timeline, onto: sink, engine, most: options.most)
    else { return false }
    try take(ahead) { engine.play($0) }
    return true
  }

  /// The rest of evidence that other threads read.
  private mutating func take<Ahead: ReadAhead>(
    _ ahead: Ahead, play: (Ahead.Content) -> Void
  ) throws {
    defer {
      ahead.stop()
      // The threads have read on with copies of these.
      for number in evidence.indices { evidence[number].close() }
    }
    while let stretch = ahead.next() {
      play(stretch.content)
      if let failure = stretch.failure { try report(failure) }
      readByOthers += stretch.byteCount
      let goesOn = try settle(stretch.byteCount)
      // If a live text was interrupted, its last stretch still comes: the thread decides on its
      // last lines.
      let mustStop = !goesOn && !ahead.endSoon() && !(isLive && stop != .count)
      if stretch.isLast || mustStop { return }
      if goesOn && stretch.isInterrupted { Interruption.answer() }
      ahead.giveBack(stretch)
    }
  }

  /// Reads several files that grow. What they have at first is merged by time, as any files are.
  /// What is added later waits only a moment for earlier lines of other files.
  private mutating func follow(_ files: [Int], onto sink: any EvidenceSink) throws {
    let timeline = Timeline(count: evidence.count, onto: sink)
    for number in evidence.indices where !files.contains(number) { timeline.end(number) }
    while stop == nil, let number = timeline.advance() {
      let isMore = try step(number, timeline.sink(number))
      // Its last lines may still wait for more lines, and be earlier than those of another file.
      if !isMore || isIdle && evidence[number].settlingDue == nil { timeline.end(number) }
      evidence[number].adapt(waiting: timeline.waitingBytes(number), most: options.most)
    }
    var open = files
    var delays = InputMerge(patience: Self.patience, of: evidence.indices)
    while stop == nil, !open.isEmpty {
      open = try open.filter { number in
        let isMore = try step(number, timeline.sink(number))
        delays.hold(number, timeline)
        return isMore
      }
      delays.release(timeline, Clock.now())
      try inspector.withText { try output.flush(&$0) }
    }
    for number in files { evidence[number].conclude(timeline.sink(number)) }
    timeline.release(until: .max)
    clearProgress()
  }

  /// Ends a file that is followed, or a text that a program writes, when the reading stops: decides
  /// on its last lines, and reports as what it was read.
  private mutating func conclude(_ stop: Summary.Stop, _ sink: any EvidenceSink) {
    guard options.follows || evidence[0].isLiveText && stop != .count else { return }
    evidence[0].conclude(sink)
  }

  /// Nothing of the progress stays on the screen.
  mutating func clearProgress() {
    progress?.clear()
    screen?.clear()
  }

  /// Opens everything before anything is shown; answers what could be opened.
  private mutating func open() throws -> [Bool] {
    FileReader.allowOpening(evidence.count)
    var isOpen: [Bool] = []
    for number in evidence.indices {
      for failure in evidence[number].open() { try report(failure) }
      isOpen.append(evidence[number].isOpen)
      if evidence[number].isAwaited {
        Terminal.report("\(evidence[number].name): no such file yet; waiting for it")
      }
    }
    isLive = evidence.contains { $0.isLive }
    let sizes = evidence.indices.map { isOpen[$0] ? evidence[$0].size : 0 }
    progress?.total = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    return isOpen
  }

  /// Reads one piece of evidence on; answers whether there may be more of it.
  private mutating func step(_ number: Int, _ sink: any EvidenceSink) throws -> Bool {
    let before = evidence[number].offset
    var isMore = true
    isIdle = false
    var restart: (lost: Int, isTruncated: Bool)?
    let wasAwaited = evidence[number].isAwaited
    do {
      let due = [silence.due, evidence[number].settlingDue, isLive ? screen?.due : nil].compactMap {
        $0
      }.min()
      switch try evidence[number].step(&buffer, within: Clock.milliseconds(until: due), sink) {
      case .more: break
      case .idle: isIdle = true
      case .end: isMore = false
      case .interrupted: Interruption.drain()
      case .restarted(let lost, let isTruncated): restart = (lost, isTruncated)
      }
      if isMore { evidence[number].settle(at: Clock.now(), sink) }
    } catch {
      try report(error)
      isMore = evidence[number].goesOn
    }
    if let (lost, isTruncated) = restart {
      let name = evidence[number].name
      try reportRestart(of: name, lost: lost, isTruncated: isTruncated, isNew: wasAwaited)
    }
    if isLive && evidence.count == 1 {
      if evidence[number].offset != before { silence.end() }
      silence.tick(sink)
    }
    return try settle(evidence[number].offset &- before) && isMore
  }

  /// Writes out what was rendered, and counts so many bytes as done; answers whether to go on.
  private mutating func settle(_ octets: UInt64) throws -> Bool {
    if isLive || options.flushesLines || inspector.textCount >= Output.threshold {
      try inspector.withText { try output.flush(&$0) }
    }
    progress?.advance(by: octets)
    if isLive { screen?.refresh(inspector, Clock.now()) }
    if Interruption.isAsked() { reportStatus() }
    if Interruption.isTimeUp || file?.isOver == true { stop = .time }
    if Interruption.signal != 0 { stop = .interrupt }
    if !inspector.wantsMore || inspector.isDecided { stop = .count }
    return stop == nil
  }

  /// How far it has come, on standard error.
  private mutating func reportStatus() {
    clearProgress()
    let sizes = evidence.map(\.size)
    let total = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    let done = evidence.reduce(readByOthers) { $0 + $1.offset }
    Terminal.report(StatusLine.text(inspector.summary, since: start, read: done, of: total))
  }

  /// What may be missing of a file that begins anew.
  ///
  /// - Parameter isNew: it was not there before.
  private mutating func reportRestart(
    of name: String, lost: Int, isTruncated: Bool, isNew: Bool
  ) throws {
    if !isTruncated && !isNew {
      try report(
        "\(name): another file has its name, and is read on; what is still written to the old one"
          + " is missing")
    }
    if isTruncated {
      try report(
        "\(name): got shorter, and is read from its beginning; what was written to it just before"
          + " may be missing")
    }
    if lost > 0 {
      try report("\(name): began anew; \(lost) bytes were not understood until then and are lost")
    }
  }

  private mutating func report(_ error: InputError) throws {
    failures += 1
    try report(error.description)
  }

  /// Writes out first what was read before the error.
  private mutating func report(_ text: String) throws {
    try inspector.withText { try output.flush(&$0) }
    clearProgress()
    if !isQuiet { Terminal.report(text) }
  }
}
