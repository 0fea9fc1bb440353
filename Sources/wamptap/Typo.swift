// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapInputs
import TapInspector
import TapSources

/// Refuses arguments that are neither files nor messages, if it is clear what was meant. Reading
/// the rest would bury that hint.
enum Typo {
  /// Exits with a hint if one of the words was meant to be something else.
  ///
  /// - Parameters:
  ///   - words: all evidence.
  ///   - commands: names of subcommands.
  static func refuse(_ words: [String], commands: [String]) throws {
    let strays = words.filter { word in
      word != "-" && !word.isEmpty && !word.contains("/") && !word.contains(".")
        && !Terminal.exists(word) && !Pasted.isPasted(word)
    }
    guard let first = strays.first, let hint = meant(by: first, strays, words, commands) else {
      return
    }
    let what = strays.count > 1 && hint.isFilter ? strays.joined(separator: " ") : first
    Terminal.report("\(what): neither a file nor a message; did you mean '\(hint.text)'?")
    throw ExitCode(64)
  }

  private static func meant(
    by word: String, _ strays: [String], _ words: [String], _ commands: [String]
  ) -> (text: String, isFilter: Bool)? {
    let rest = words.dropFirst().first.map { " \($0)" } ?? ""
    if word == words.first, let command = Spelling.nearest(to: word, among: commands) {
      return ("wamptap \(command)\(rest)", false)
    }
    let expression = strays.joined(separator: " ")
    if words.count > strays.count, (try? PacketFilter(expression)) != nil {
      return ("-f \"\(expression)\"", true)
    }
    if words.count == 1 {
      let guide = Guide(inputs: InputFindings.all)
      if !guide.topics(for: word).isEmpty { return ("wamptap explain \(word)", false) }
    }
    return nil
  }
}
