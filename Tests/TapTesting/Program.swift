// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Runs the built `wamptap` like a user would.
public enum Program {
  public struct Outcome: Sendable {
    public var output: String
    public var complaints: String
    public var status: Int32

    /// In the format of a transcript.
    public var transcript: String {
      var text = output
      if !text.isEmpty && !text.hasSuffix("\n") { text += "\n" }
      for line in complaints.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        text += "! \(line)\n"
      }
      if status != 0 { text += "? \(status)\n" }
      return text
    }
  }

  public struct NotFound: Error, CustomStringConvertible {
    public var places: [String]

    public var description: String { "no built wamptap in \(places.joined(separator: ", "))" }
  }

  /// It is in the products directory, next to the test bundle (macOS) or the test executable.
  private static let places: [URL] =
    Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
    .map { $0.bundleURL.deletingLastPathComponent() }
    + [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
    .compactMap { $0 }
    + [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]

  /// `$WAMPTAP_PROGRAM` names another build.
  public static func built() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["WAMPTAP_PROGRAM"] {
      return URL(filePath: path)
    }
    let candidates = places.map { $0.appending(path: "wamptap") }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw NotFound(places: places.map(\.path)) }
    return found
  }

  /// Starts it with pipes for standard input and output, for interaction.
  public static func start(
    _ words: [String], _ standardInput: Pipe, _ standardOutput: Pipe,
    complaints: Pipe? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = try built()
    process.arguments = words
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = complaints ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  /// - Parameters:
  ///   - words: its arguments.
  ///   - standardInput: a file for standard input; empty input otherwise.
  ///   - folder: the working directory.
  ///   - settings: the folder of user settings; those of the user who runs the tests are never
  ///     used.
  public static func run(
    _ words: [String], standardInput: String? = nil, in folder: URL, settings: URL? = nil
  ) throws -> Outcome {
    try run(words, nil, standardInput, folder, settings)
  }

  /// Runs a script of sh(1) in which `$wamptap` is the program.
  public static func shell(_ script: String, in folder: URL) throws -> Outcome {
    try run([], script, nil, folder, nil)
  }

  private static func run(
    _ words: [String], _ script: String?, _ standardInput: String?, _ folder: URL,
    _ settings: URL?
  ) throws -> Outcome {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    // Files, not pipes, as neither must be read while the other fills.
    let (output, complaints) = (scratch.appending(path: "1"), scratch.appending(path: "2"))
    for file in [output, complaints] { try Data().write(to: file) }
    let process = Process()
    let program = try built()
    // A shell handles what Foundation cannot express.
    process.executableURL = script == nil ? program : URL(filePath: "/bin/sh")
    process.arguments = script.map { ["-c", $0] } ?? words
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_CONFIG_HOME": (settings ?? scratch).path, "wamptap": program.path]
    ) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput =
      try standardInput.map {
        try FileHandle(forReadingFrom: folder.appending(path: $0))
      } ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: complaints)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: try String(contentsOf: output, encoding: .utf8),
      complaints: try String(contentsOf: complaints, encoding: .utf8),
      status: process.terminationStatus)
  }
}
