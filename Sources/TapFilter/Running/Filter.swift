// SPDX-License-Identifier: Apache-2.0

/// A display filter, which selects the lines that are shown. It is parsed and checked once, at the
/// beginning.
public struct Filter {
  /// As typed.
  public let text: String
  let program: FilterProgram
  /// Warnings about a valid filter, one sentence each.
  public let warnings: [String]

  /// - Throws: the place and the reason of a mistake.
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

  /// It tests findings.
  public var isAboutFindings: Bool { program.isAboutFindings }

  /// How many passes over the input are needed before anything can be shown: one for facts that
  /// only later messages show, and one more for each of these nested in another.
  public var passes: Int { program.passes }
}
