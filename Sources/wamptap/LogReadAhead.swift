// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapLogs
import TapSources
import TapTraffic

/// Reads a long log ahead of what is shown, on two threads of its own: one reads chunks and looks
/// for lines, the other finds messages in them. Either takes about as long as to decode and to show
/// what was found.
final class LogReadAhead: ReadAhead, @unchecked Sendable {
  /// What was read at once, and where lines are in it.
  private struct Chunk {
    var octets = ContiguousArray<UInt8>(repeating: 0, count: FileReader.chunkBytes)
    var count = 0
    var survey: LogSurvey
    /// The file ends with it; another one may follow.
    var endsFile = false
    var isLast = false
    var isInterrupted = false
    var failure: InputError?

    /// Resets it for the next read.
    mutating func empty() {
      (count, isInterrupted, endsFile, failure) = (0, false, false, nil)
    }
  }

  /// Chunks that may wait for the second thread, and as many buffers that may wait to be shown.
  private static let most = 4

  /// Files that are still to be read. Used only by the first thread, once that runs.
  private var files: [FileReader]
  /// Used only by the second thread.
  private var evidence: InputFile
  private let batches = Handover<ReadAheadBatch<EventBuffer>>()
  private let spare = Handover<EventBuffer>()
  private let read = Handover<Chunk>()
  private let spareChunks = Handover<Chunk>()
  private var threads: [WorkerThread] = []
  /// What makes lines worth reading.
  private let leads: LogLeads
  /// Milliseconds between two looks at what waits for more lines.
  private let pause: Int32

  /// Starts to read; nil where the system has no more threads, or there is no file.
  init?(_ evidence: InputFile) {
    (files, self.evidence) = (evidence.files, evidence)
    leads = LogLeads(evidence.choice.recogniser())
    pause = Int32(clamping: evidence.limits.settlingTime / 1_000_000)
    if files.isEmpty { return nil }
    // The second thread is started first: nothing is read that nobody takes.
    guard let decoder = WorkerThread({ [self] in decode() }) else { return nil }
    threads.append(decoder)
    guard let reader = WorkerThread({ [self] in fetch() }) else {
      stop()
      return nil
    }
    threads.append(reader)
    for _ in 0..<Self.most {
      spare.give(EventBuffer())
      spareChunks.give(Chunk(survey: LogSurvey(leads)))
    }
  }

  func next() -> ReadAheadBatch<EventBuffer>? { batches.take() }

  func giveBack(_ stretch: ReadAheadBatch<EventBuffer>) { spare.give(stretch.content) }

  func endSoon() -> Bool { false }

  func stop() {
    spare.close()
    spareChunks.close()
    read.close()
    batches.close()
    // One of them may wait for a pipe.
    Interruption.wakeUp()
    for thread in threads { thread.join() }
    threads = []
  }

  /// The first thread: reads chunks and looks for lines.
  private func fetch() {
    while var chunk = spareChunks.take() {
      chunk.empty()
      do {
        // After a pause without bytes, the second thread has to decide on lines that wait for more.
        switch try files[0].read(
          into: &chunk.octets, most: FileReader.chunkBytes, within: pause)
        {
        case .octets(let count): chunk.count = count
        case .end: chunk.endsFile = true
        case .interrupted: (chunk.isInterrupted, chunk.isLast) = (true, Interruption.isOver)
        case .idle, .restarted, .truncated: break
        }
      } catch {
        (chunk.endsFile, chunk.failure) = (true, error)
      }
      if chunk.endsFile {
        files.removeFirst()
        chunk.isLast = files.isEmpty
      }
      // A struct cannot lend one member while another changes: taken out for as long.
      var survey = LogSurvey(leads)
      swap(&survey, &chunk.survey)
      survey.look(at: chunk.octets.span.bytes.extracting(0..<chunk.count))
      swap(&survey, &chunk.survey)
      let isLast = chunk.isLast
      read.give(chunk)
      if isLast { return }
    }
  }

  /// The second thread: finds messages in the lines.
  private func decode() {
    while let tape = spare.take(), let chunk = read.take() {
      let before = evidence.offset
      var failure = chunk.failure
      do throws(InputError) {
        try evidence.receive(
          chunk.octets.span.bytes.extracting(0..<chunk.count), chunk.survey, tape)
        if !chunk.endsFile { evidence.settle(at: Clock.now(), tape) }
        // What was read before a failure is kept.
        if chunk.endsFile {
          _ = try evidence.endFile(tape)
        } else if chunk.isLast {
          evidence.conclude(tape)
        }
      } catch {
        failure = failure ?? error
        if chunk.endsFile { evidence.leaveFile(tape) }
      }
      batches.give(
        ReadAheadBatch(
          content: tape, byteCount: evidence.offset &- before, isLast: chunk.isLast,
          isInterrupted: chunk.isInterrupted, failure: failure))
      if chunk.isLast { return }
      spareChunks.give(consume chunk)
    }
  }
}
