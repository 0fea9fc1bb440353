// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSources

/// A key log that is open: what others add to it can be read at any time.
final class KeyLogFile {
  private let reader: FileReader
  /// Why it can no longer be read.
  private(set) var failure: InputError?
  private var buffer = ContiguousArray<UInt8>(repeating: 0, count: 16 << 10)

  init(_ path: String) throws(InputError) { reader = try FileReader(path: path) }

  /// Lends everything that was not lent before.
  func readOn(_ body: (RawSpan) -> Void) {
    while failure == nil {
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
