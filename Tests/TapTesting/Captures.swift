// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The folder of real captures: `$WAMPTAP_CAPTURES`, or next to the repository.
public enum Captures {
  public static let absence: String =
    "no captures: set WAMPTAP_CAPTURES to the folder that holds cap/ and truth/"

  /// The folder that holds `cap` and `truth`; nil when there is none.
  public static let root: String? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["WAMPTAP_CAPTURES"]
    let path = named ?? repository.appending(path: "../shared/captures").standardized.path
    return FileManager.default.fileExists(atPath: path + "/cap") ? path : nil
  }()

  public static var areThere: Bool { root != nil }

  /// All captures, sorted.
  public static let all: [String] = {
    guard let root else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/cap")) ?? []
    return names.filter { !$0.hasSuffix(".json") && !$0.hasSuffix(".keys") }.sorted()
  }()

  /// The captures with tshark output beside them.
  public static let names = all.filter {
    FileManager.default.fileExists(atPath: path($0 + ".tshark.json"))
  }

  public static func path(_ name: String) -> String { (root ?? "") + "/cap/" + name }

  /// A file of ground truth; nil when it does not exist.
  public static func truth(_ name: String) -> String? {
    let path = (root ?? "") + "/truth/" + name
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The key log next to a capture; empty when there is none, or the capture contains its secrets.
  public static func keyLog(of name: String) throws -> [UInt8] {
    let base = name.prefix { $0 != "." }
    let path = path(base + ".keys")
    return FileManager.default.fileExists(atPath: path) ? try bytes(of: path) : []
  }

  /// A whole file.
  public static func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// The lines of a file that are not empty.
  public static func lines(of path: String) throws -> [[UInt8]] {
    try bytes(of: path).split(separator: 0x0A).map { Array($0) }
  }
}
