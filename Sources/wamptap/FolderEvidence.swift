// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapExports
import TapSources
import TapTraffic

/// A folder that is one piece of evidence: a message in each file. Read file by file.
struct FolderEvidence {
  private let path: String
  private let limits: Limits
  private var files: ArraySlice<CharlesFolder.File>
  private var folder: CharlesFolder

  /// Nil when the path names no folder.
  init?(path: String, number: Int, limits: Limits) throws(InputError) {
    guard let names = try Folder.names(in: path) else { return nil }
    files = CharlesFolder.messages(among: names)[...]
    if files.isEmpty { throw InputError(path: path, .isDirectory) }
    (self.path, self.limits) = (path, limits)
    folder = CharlesFolder(input: UInt16(clamping: number), limits: limits)
  }

  var hasMore: Bool { !files.isEmpty }

  /// One file; answers how many bytes it has, and nil when there is none left.
  mutating func step(
    _ buffer: inout ContiguousArray<UInt8>, _ sink: any EvidenceSink
  ) throws(InputError) -> Int? {
    guard let file = files.popFirst() else { return nil }
    let reader = try FileReader(
      path: path.hasSuffix("/") ? path + file.name : "\(path)/\(file.name)")
    var message = Scratch()
    var isWhole = true
    reading: while isWhole {
      switch try reader.read(into: &buffer, most: buffer.count) {
      case .octets(let count):
        isWhole = message.count + count <= limits.messageBytes
        if isWhole { message.append(buffer.span.bytes.extracting(0..<count)) }
      case .interrupted, .idle, .restarted, .truncated: continue
      case .end: break reading
      }
    }
    folder.receive(message.bytes, file, isWhole: isWhole, sink)
    return message.count
  }
}
