// SPDX-License-Identifier: Apache-2.0

/// What was found in a chunk by itself, ahead of the input that it is for and maybe on another
/// thread; each input knows its own.
public protocol ChunkSurvey: Sendable {
  /// Forgets what was found before.
  ///
  /// - Parameter chunk: cut anywhere.
  mutating func look(at chunk: RawSpan)
}
