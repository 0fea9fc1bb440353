// SPDX-License-Identifier: Apache-2.0
import TapInputs
import TapSources
import TapTraffic

/// Reads one piece of evidence on a thread of its own, some chunks ahead of what is shown: to find
/// messages in a text takes about as long as to decode and to show them.
final class Ahead: @unchecked Sendable {
  /// What one chunk has told.
  struct Stretch {
    let tape: Tape
    /// Octets that were read until here.
    var offset: UInt64
    var isLast: Bool
    /// Why it could not be read on.
    var failure: InputError?
  }

  /// Chunks that may be read and not shown yet.
  private static let most = 4

  /// Of the thread alone, once that runs.
  private var evidence: Evidence
  private var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileSource.chunkBytes)
  private let told = Handover<Stretch>()
  private let spare = Handover<Tape>()
  private var thread: WorkerThread?

  /// Starts to read; nil where the system has no more threads.
  ///
  /// - Parameter answers: says what texts look like, whatever another thread tells it meanwhile.
  init?(_ evidence: Evidence, answers: any Floor) {
    self.evidence = evidence
    for _ in 0..<Self.most { spare.give(Tape(answers: answers)) }
    thread = WorkerThread { [self] in read() }
    if thread == nil { return nil }
  }

  /// What comes next, which is to be given back.
  func next() -> Stretch? { told.take() }

  func giveBack(_ stretch: Stretch) { spare.give(stretch.tape) }

  /// Ends the thread, whether or not all was read.
  func stop() {
    spare.close()
    told.close()
    thread?.join()
    thread = nil
  }

  private func read() {
    while let tape = spare.take() {
      var stretch = Stretch(tape: tape, offset: 0, isLast: false)
      do {
        if case .end = try evidence.step(&buffer, tape) { stretch.isLast = true }
      } catch {
        (stretch.isLast, stretch.failure) = (true, error)
      }
      stretch.offset = evidence.offset
      let isLast = stretch.isLast
      told.give(stretch)
      if isLast { return }
    }
  }
}
