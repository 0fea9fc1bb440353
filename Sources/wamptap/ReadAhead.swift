// SPDX-License-Identifier: Apache-2.0
import TapSources

/// Reads evidence on other threads than that which shows what is in it.
protocol ReadAhead: AnyObject {
  /// What the threads hand over.
  associatedtype Content

  /// What comes next, which is to be given back.
  func next() -> Stretch<Content>?
  func giveBack(_ stretch: Stretch<Content>)
  /// No more is to be read.
  ///
  /// - Returns: whether what was read until now still comes, to be shown.
  func endSoon() -> Bool
  /// Ends the threads, whether or not all was read.
  func stop()
}

/// What the threads hand over at a time.
struct Stretch<Content> {
  let content: Content
  /// Bytes of evidence that it took.
  let byteCount: UInt64
  let isLast: Bool
  /// A signal came, and woke the thread that reads.
  var isInterrupted = false
  /// Why it could not be read on.
  var failure: InputError?
}
