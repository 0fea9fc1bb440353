// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The bytes of a file, a pipe or standard input, in chunks, as they arrive. It does not know what
/// is in them and never reads ahead.
public struct FileSource {
  /// Bytes of the one buffer that is used again and again.
  public static let chunkBytes = 256 << 10

  /// As the user named it; `-` is standard input.
  public let path: String

  public init(path: String) { self.path = path }

  /// Reads to the end of the file.
  ///
  /// - Parameter body: is lent each chunk for the call; a short read of a pipe is passed on at
  /// once.
  /// - Throws: `InputError`, or what `body` throws.
  public func read(_ body: (RawSpan) throws -> Void) throws {
    let reader = try FileReader(path: path)
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: Self.chunkBytes)
    while true {
      switch try reader.read(into: &buffer, most: Self.chunkBytes) {
      case .octets(let count): try body(buffer.span.bytes.extracting(0..<count))
      case .interrupted, .idle, .restarted, .truncated: continue
      case .end: return
      }
    }
  }
}
