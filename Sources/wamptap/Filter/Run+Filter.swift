// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapFilter
import TapInspector
import TapNames
import TapSources
import TapTraffic

/// The display filter. It is parsed before any evidence is read, and decides how often that is
/// read.
extension Run {
  /// - Returns: nil where there is none.
  func loadFilter(_ named: Names) throws -> FilterRun? {
    guard let text = options.filtering?.filter else { return nil }
    return try loadFilter(text, named)
  }

  func loadFilter(_ text: String, _ named: Names) throws -> FilterRun {
    let words = FilterWords.vocabulary(named: named.filters)
    let filter = try FilterWords.filter(text, words)
    for warning in filter.warnings { Terminal.report(warning) }
    let waits = filter.passes == 1 && isEndless && make == nil && checking == nil
    if filter.passes > 0 && !waits { try checkPasses() }
    return FilterRun(
      filter, inputs: shownInputs, showsPossible: options.filtering?.showsPossible ?? false,
      limits: limits, waits: waits, most: options.stream.count ?? .max, zone: words.zone)
  }

  /// What is known only from later messages needs evidence that can be read twice.
  func checkPasses() throws {
    if try keepForReadingAgain() { return }
    let how =
      isEndless
      ? "while traffic comes, only show waits for that, and not for one of them inside of another"
      : "they read a capture twice, when it has ended"
    Terminal.report(
      "exchange(…), session(…), connection(…), answered and unanswered need what comes later: "
        + how + "; save it first (-w FILE)")
    throw ExitCode(64)
  }

  /// The passes over the evidence before the one that shows something.
  ///
  /// - Parameter collector: makes the renderer that listens to one of them, by number from 1.
  func prepare(_ passes: Int, _ named: Names, _ collector: (Int) -> any Renderer) throws {
    for number in 0..<passes {
      try pass(makeInspector(named, collector(number + 1), most: .max))
    }
  }

  /// Shows only what matches. A renderer that has to know of all messages gets the filter itself.
  func select(with filter: FilterRun?, _ renderer: any Renderer) -> any Renderer {
    guard let filter else { return renderer }
    guard var selecting = renderer as? any SelectingRenderer else {
      return filter.renderer(around: renderer)
    }
    selecting.selection = filter.renderer(around: Selection())
    return selecting
  }

  /// What the filter has left out, on standard error.
  func report(_ filter: FilterRun) {
    if filter.possible > 0 && !filter.showsPossible {
      let count = counted(filter.possible, "message")
      Terminal.report(
        "\(count) may match: what decides was not captured (--maybe shows them, marked '?')")
    }
    if filter.unjoined > 0 {
      Terminal.report(
        "\(filter.unjoined) messages are beyond the first \(limits.filteredMessages), of which"
          + " exchanges are known")
    }
    if filter.unawaited > 0 {
      Terminal.report(
        "\(filter.unawaited) messages were left out before it was known whether they match: no more"
          + " than \(limits.waitingBytes >> 20) MB of them wait")
    }
    let isNothing = filter.matched == 0 && !filter.hasOthers
    if isNothing && filter.reported > 0 && !options.output.quiet {
      let shown = filter.showsPossible ? filter.possible : 0
      Terminal.report(
        shown > 0
          ? "\(shown) of \(filter.reported) messages may match, none for certain"
          : "0 of \(filter.reported) messages matched")
    }
  }
}
