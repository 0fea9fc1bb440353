// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSources

/// A key log that is open: what others add to it can be read at any time.
final class KeyLogFile {
  private let reader: FileReader
  /// Why it can no longer be read.
  private(set) var failure: InputError?
  /// Milliseconds that a pipe is waited for: at first somebody may be about to write.
  private var patience: Int32 = 2000
  private var buffer = ContiguousArray<UInt8>(repeating: 0, count: 16 << 10)

  init(_ path: String) throws(InputError) { reader = try FileReader(path: path) }

  /// Passes on all bytes that were added since the last call, as far as they are there.
  func readOn(_ body: (RawSpan) -> Void) {
    defer { patience = 0 }
    while failure == nil && reader.isReady(within: patience) {
      do {
        guard case .octets(let count) = try reader.read(into: &buffer, most: buffer.count) else {
          return
        }
        body(buffer.span.bytes.extracting(0..<count))
      } catch {
        failure = error
      }
    }
  }
}
