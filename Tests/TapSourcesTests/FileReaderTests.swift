// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapSources
import Testing

@Suite struct FileReaderTests {
  private func read(_ path: String, _ body: (RawSpan) throws -> Void) throws {
    let reader = try FileReader(path: path)
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: FileReader.chunkBytes)
    while true {
      switch try reader.read(into: &buffer, most: FileReader.chunkBytes) {
      case .octets(let count): try body(buffer.span.bytes.extracting(0..<count))
      case .interrupted, .idle, .restarted, .truncated: continue
      case .end: return
      }
    }
  }

  private func readAll(_ path: String) throws -> (bytes: [UInt8], chunks: [Int]) {
    var bytes: [UInt8] = []
    var chunks: [Int] = []
    try read(path) {
      bytes += $0.copied()
      chunks.append($0.byteCount)
    }
    return (bytes, chunks)
  }

  @Test func chunks() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "FileReaderTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let content = (0..<FileReader.chunkBytes * 2 + 17).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try Data(content).write(to: url)
    let reported = try readAll(url.path)
    #expect(reported.bytes == content)
    #expect(reported.chunks == [FileReader.chunkBytes, FileReader.chunkBytes, 17])
    try Data().write(to: url)
    #expect(try readAll(url.path).chunks.isEmpty)
  }

  @Test func errors() {
    #expect(throws: InputError(path: "/no/such/file", .notFound)) { try readAll("/no/such/file") }
    #expect(throws: InputError(path: "/", .isDirectory)) { try readAll("/") }
    #expect(throws: InputError(path: "/dev/null/x", .notFound)) { try readAll("/dev/null/x") }
    #expect(
      InputError(path: "a.pcap", .cannotRead(offset: 42, code: EIO)).description
        .hasPrefix("a.pcap: cannot be read at byte 42: "))
    #expect(
      InputError(path: "-", .empty).description
        == "standard input: empty, so there is nothing to read")
  }

  /// What arrives in a pipe is lent at once, not when a chunk is full.
  @Test func pipeIsReadAsItArrives() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "FileReaderTests-\(UUID().uuidString)").path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let writer = open(path, O_RDWR)
    try #require(writer >= 0)
    var chunks: [[UInt8]] = []
    #expect(write(writer, "one", 3) == 3)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try read(path) { chunk in
        chunks.append(chunk.copied())
        if chunks.count == 2 { throw Stop() }
        _ = write(writer, "second", 6)
      }
    }
    close(writer)
    #expect(chunks == [Array("one".utf8), Array("second".utf8)])
  }

  /// A file that is followed, renamed and written anew.
  private final class Followed {
    private let path = FileManager.default.temporaryDirectory
      .appending(path: "FileReaderTests-\(UUID().uuidString)").path
    private var names: [String] = []
    private let reader: FileReader
    private var buffer = ContiguousArray<UInt8>(repeating: 0, count: 16)
    var read: [String] = []

    init(_ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: path))
      reader = try FileReader(path: path, follows: true)
    }

    deinit { for name in names + [path] { unlink(name) } }

    /// The file gets another name, and this text begins a new one.
    func replace(with text: String) throws {
      names.append("\(path).\(names.count + 1)")
      try #require(rename(path, names.last!) == 0)
      try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// A program still writes to the file that was renamed last.
    func writeToOld(_ text: String) throws {
      let file = try FileHandle(forWritingTo: URL(filePath: names.last!))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }

    /// Reads once.
    func step() throws {
      switch try reader.read(into: &buffer, most: 16) {
      case .octets(let count):
        read.append(String(decoding: buffer[..<count], as: Unicode.UTF8.self))
      case .restarted: read.append("restarted")
      case .end, .interrupted, .idle, .truncated: break
      }
    }

    func step(until text: String) throws { while read.last != text { try step() } }
  }

  /// A program goes on writing to a file that was renamed until it opens the new one.
  @Test(.timeLimit(.minutes(1))) func replacedFileIsReadToItsEnd() throws {
    let file = try Followed("one")
    try file.step()
    try file.replace(with: "three")
    try file.step()
    try file.writeToOld("two")
    try file.step(until: "three")
    #expect(file.read == ["one", "two", "restarted", "three"])
  }

  /// Each file is read, although the next one had its name before its turn came.
  @Test(.timeLimit(.minutes(1))) func replacedTwice() throws {
    let file = try Followed("one")
    try file.step()
    try file.replace(with: "two")
    try file.step()
    try file.replace(with: "three")
    try file.step(until: "three")
    #expect(file.read == ["one", "restarted", "two", "restarted", "three"])
  }

  /// The new file is read although a program never leaves the old one.
  @Test(.timeLimit(.minutes(1))) func replacedFileIsNeverLeft() throws {
    let file = try Followed("one")
    try file.replace(with: "new")
    while !file.read.contains("restarted") {
      try file.writeToOld("old")
      for _ in 0..<3 { try file.step() }
    }
    try file.step(until: "new")
    #expect(file.read.count { $0 == "old" } > 3)
  }
}
