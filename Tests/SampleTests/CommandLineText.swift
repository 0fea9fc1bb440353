// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TapTesting

/// A command of a transcript, split as a shell would: words, single quotes, `< file`. No more.
struct CommandLineText {
  private(set) var words: [String] = []
  /// What standard input is read from.
  private(set) var standardInput: String?

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  init(_ line: String) throws {
    var word: String?
    var isQuoted = false
    var isRedirected = false
    func refuse(_ why: String) -> Malformed { Malformed(description: "\(why): \(line)") }
    for character in line + " " {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        guard let whole = word else { continue }
        word = nil
        if isRedirected {
          standardInput = whole
          isRedirected = false
        } else {
          words.append(whole)
        }
      case "<" where !isQuoted && word == nil: isRedirected = true
      case "\"", "\\", "$", "|", ">", "*", ";", "&":
        guard isQuoted else { throw refuse("\(character) is not understood here") }
        word = (word ?? "") + String(character)
      default: word = (word ?? "") + String(character)
      }
    }
    if isQuoted { throw refuse("a quote is not closed") }
    if isRedirected { throw refuse("no file after <") }
    guard words.first == "wamptap" else { throw refuse("a command must begin with wamptap") }
    words.removeFirst()
  }

  /// The same command in another format.
  func rendering(as format: String) -> CommandLineText {
    var copy = self
    if let place = copy.words.firstIndex(of: "-o") { copy.words.removeSubrange(place...place + 1) }
    // Behind the subcommand, if there is one that takes a format.
    let place = copy.words.first == "stats" ? 1 : 0
    copy.words.insert(contentsOf: ["-o", format], at: place)
    return copy
  }
}

extension Sample {
  private static let printed = Mutex<[String: [Substring]]>([:])

  /// The lines that its commands print as NDJSON. Each command is run once, whoever asks first.
  func ndjson() throws -> [Substring] {
    if let lines = Self.printed.withLock({ $0[name] }) { return lines }
    var done: Set<[String]> = []
    var lines: [Substring] = []
    for line in showing {
      let command = try CommandLineText(line).rendering(as: "ndjson")
      guard done.insert(command.words + [command.standardInput ?? ""]).inserted else { continue }
      lines += try Program.run(command, in: folder).output.split(separator: "\n")
    }
    Self.printed.withLock { $0[name] = lines }
    return lines
  }
}

extension Program {
  static func run(_ command: CommandLineText, in folder: URL) throws -> Outcome {
    try run(command.words, standardInput: command.standardInput, in: folder)
  }
}
