// SPDX-License-Identifier: Apache-2.0
import TapCaptures
import TapEvidence
import TapInspector
import TapSources
import TapTraffic

/// The main loop over interfaces: whatever comes first is decoded first. Packets of several
/// interfaces are put in the order of their times, for which each waits a moment for what another
/// one may have seen before it.
struct LiveReading: MainLoop {
  /// Nanoseconds that packets wait for earlier ones of other interfaces. The kernel gathers them
  /// for 10 ms, and nothing is to appear later than after 50.
  private static let patience: UInt64 = 25_000_000
  /// Nanoseconds between two looks at what the kernel has dropped.
  private static let pause: UInt64 = 1_000_000_000
  /// Nanoseconds in which the threads have to end.
  private static let farewell: UInt64 = 2_000_000_000

  private let sources: [LiveSource]
  private let file: CaptureFile?
  private let inspector: Inspector
  private let output: Output
  private var decoders: [InputDecoder]
  private var isOpen: [Bool]
  /// Packets that the kernel and the interface have dropped, as reported so far.
  private var dropped: [(kernel: UInt64, interface: UInt64)]
  private var delays: InputMerge
  private let start = Clock.now()
  private var nextLook: UInt64 = 0
  /// The kernel gathers packets for 10 ms.
  private var silence = IdleTimer(underWay: 15_000_000)
  /// The preview on the terminal; nil where none is shown.
  private var screen: PreviewScreen?
  /// When the threads have to be done; nil as long as there is no end.
  private var end: UInt64?

  private(set) var failures = 0
  private(set) var stop: Summary.Stop?

  init(
    _ sources: [LiveSource], _ file: CaptureFile?, _ inspector: Inspector, _ output: Output,
    limits: Limits, screen: PreviewScreen?
  ) {
    (self.sources, self.file, self.inspector) = (sources, file, inspector)
    (self.output, self.screen) = (output, screen)
    decoders = sources.enumerated().map { number, source in
      InputDecoder(path: source.name, number: number, limits: limits, choice: InputChoice())
    }
    isOpen = sources.map { _ in true }
    dropped = sources.map { _ in (0, 0) }
    delays = InputMerge(patience: Self.patience, of: sources.indices)
  }

  mutating func run(onto sink: any EvidenceSink) throws {
    let timeline = sources.count > 1 ? Timeline(count: sources.count, onto: sink) : nil
    for source in sources { source.start(wake: Interruption.waker, file: file) }
    while isOpen.contains(true) {
      var hasTaken = false
      for number in sources.indices where isOpen[number] {
        if try take(number, timeline?.sink(number) ?? sink) { hasTaken = true }
        if let timeline { delays.hold(number, timeline) }
      }
      let now = Clock.now()
      if let timeline { delays.release(timeline, now) }
      if hasTaken { silence.end() } else if delays.due == nil { silence.tick(sink) }
      if now >= nextLook { look(now, sink) }
      try inspector.withText { try output.flush(&$0) }
      screen?.refresh(inspector, now)
      listen(now)
      // Stops at the number of messages asked for, or if a thread does not end in time.
      if stop == .count || !hasTaken && end.map({ now >= $0 }) == true { break }
      if !hasTaken && isOpen.contains(true) { Interruption.wait(milliseconds: wait(now)) }
    }
    screen?.clear()
    timeline?.release(until: .max)
    look(Clock.now(), sink)
    inspector.captured(captures())
  }

  mutating func clearProgress() { screen?.clear() }

  /// Decodes what has come of an interface; answers whether there was anything.
  private mutating func take(_ number: Int, _ sink: any EvidenceSink) throws -> Bool {
    let outcome = try sources[number].take { bytes, dropped in
      if dropped > 0 { report(dropped, "wamptap itself", number, sink) }
      try decoders[number].receive(bytes, sink)
    }
    switch outcome {
    case .chunk: return true
    case .nothing: return false
    case .end(let failure):
      isOpen[number] = false
      try decoders[number].finish(sink)
      guard let failure else { return true }
      failures += 1
      try inspector.withText { try output.flush(&$0) }
      screen?.clear()
      Terminal.report("\(sources[number].name): \(failure); nothing more is captured on it")
      return true
    }
  }

  /// Reports what the kernel and the interfaces have dropped since the last look.
  private mutating func look(_ now: UInt64, _ sink: any EvidenceSink) {
    nextLook = now + Self.pause
    for number in sources.indices {
      let statistics = sources[number].statistics
      let reported = dropped[number]
      // An interface that goes away forgets what it has counted.
      let now = (
        kernel: max(statistics.droppedByKernel, reported.kernel),
        interface: max(statistics.droppedByInterface, reported.interface)
      )
      dropped[number] = now
      if now.kernel > reported.kernel {
        report(now.kernel - reported.kernel, "the kernel", number, sink)
      }
      if now.interface > reported.interface {
        report(now.interface - reported.interface, "the interface", number, sink)
      }
    }
  }

  private func report(_ count: UInt64, _ who: String, _ number: Int, _ sink: any EvidenceSink) {
    let packets = count == 1 ? "1 packet was" : "\(count) packets were"
    sink.finding(
      .captureDropped, .warning,
      Origin(time: Clock.instant, input: UInt16(clamping: number), precision: 9),
      "\(packets) dropped by \(who) on \(sources[number].name): there was no room for more")
  }

  /// Answers signals and the time limit.
  private mutating func listen(_ now: UInt64) {
    if Interruption.isAsked() {
      screen?.clear()
      var summary = inspector.summary
      summary.captures = captures()
      Terminal.report(StatusLine.text(summary, since: start))
    }
    if stop != nil { return }
    if file?.isOver == true || Interruption.isTimeUp { stop = .time }
    if Interruption.signal != 0 { stop = .interrupt }
    if !inspector.wantsMore || inspector.isDecided { stop = .count }
    if stop == nil { return }
    file?.hurry()
    for source in sources { source.stop(takesRest: stop != .count) }
    end = now + Self.farewell
  }

  /// Milliseconds until something is due whether or not a packet comes; -1 for never.
  private func wait(_ now: UInt64) -> Int32 {
    Clock.milliseconds(
      from: now, until: [delays.due, end, silence.due, screen?.due].compactMap { $0 }.min())
  }

  private func captures() -> [Summary.Capture] {
    sources.map { source in
      let statistics = source.statistics
      var capture = Summary.Capture(interface: source.name)
      capture.captured = statistics.captured
      capture.received = statistics.received
      capture.droppedByKernel = statistics.droppedByKernel
      capture.droppedByInterface = statistics.droppedByInterface
      capture.droppedByProgram = statistics.droppedByProgram
      return capture
    }
  }
}
