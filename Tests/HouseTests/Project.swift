// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files of this package as text.
enum Project {
  struct File: Sendable {
    /// `Sources/TapHTTP/Head.swift`.
    var path: String
    var text: String

    var lines: [String] { text.components(separatedBy: "\n") }
    /// `TapHTTP`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    /// `Head.swift`.
    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The lines without comments; numbers count from 1.
    var code: [(number: Int, line: String)] {
      lines.enumerated().compactMap { index, line in
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("//") { return nil }
        return (index + 1, line.components(separatedBy: " // ")[0])
      }
    }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let sources = swift(under: "Sources")
  static let tests = swift(under: "Tests")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The names in a folder, without hidden ones; empty when there is none.
  static func names(in path: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: path).path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(
      atPath: root.appending(path: path).path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
  }

  private static func swift(under folder: String) -> [File] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    let paths = (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.sorted()
    return paths.compactMap { path in
      (try? text("\(folder)/\(path)")).map { File(path: "\(folder)/\(path)", text: $0) }
    }
  }
}
