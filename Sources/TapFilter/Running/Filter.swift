// SPDX-License-Identifier: Apache-2.0

/// A display filter: which lines are shown of everything that is read. It is read and checked once,
/// before anything else.
public struct Filter {
  /// As it was typed.
  public let text: String
  let program: FilterProgram
  /// What is odd about it without being wrong, one sentence each.
  public let warnings: [String]

  /// - Throws: where it is wrong, and why.
  public init(_ text: String, _ words: Vocabulary) throws(FilterError) {
    var reader = FilterReader(text, words)
    program = FilterProgram(try reader.read())
    (self.text, warnings) = (text, reader.warnings)
    if program.connectionSteps.count > FilterProgram.mostConnectionTests {
      throw FilterError(
        text: "the filter has more than \(FilterProgram.mostConnectionTests) tests of connections",
        filter: text, place: 0..<1)
    }
  }

  /// It asks for findings, or for what they say.
  public var isAboutFindings: Bool { program.isAboutFindings }

  /// How often the evidence has to be read before anything can be shown: once for what is known
  /// only from later messages, and once more for each of these inside another one.
  public var passes: Int { program.passes }
}
