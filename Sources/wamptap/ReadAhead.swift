// SPDX-License-Identifier: Apache-2.0
import TapSources

/// Reads evidence ahead of what is shown, on more threads than that which shows it.
protocol ReadAhead: AnyObject {
  /// What the threads hand over.
  associatedtype Content

  /// What comes next, which is to be given back; waits for it, or helps to read. Nil when there is
  /// no more.
  func next() -> ReadAheadBatch<Content>?
  func giveBack(_ stretch: ReadAheadBatch<Content>)
  /// No more is to be read.
  ///
  /// - Returns: whether what was read until now still comes, to be shown.
  func endSoon() -> Bool
  /// Ends the threads, whether or not all was read.
  func stop()
}

/// What the threads hand over at a time.
struct ReadAheadBatch<Content> {
  let content: Content
  /// Bytes of evidence that it took.
  let byteCount: UInt64
  let isLast: Bool
  /// A signal came, and woke the thread that reads.
  var isInterrupted = false
  /// Why it could not be read on.
  var failure: InputError?
}
