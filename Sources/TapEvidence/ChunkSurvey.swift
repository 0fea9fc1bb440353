// SPDX-License-Identifier: Apache-2.0

/// What a scan of one chunk found, made before the input receives the chunk, perhaps on another
/// thread. Each input has its own type of survey.
public protocol ChunkSurvey: Sendable {
  /// Scans a chunk, and forgets what an earlier one had.
  ///
  /// - Parameter chunk: cut anywhere.
  mutating func look(at chunk: RawSpan)
}
