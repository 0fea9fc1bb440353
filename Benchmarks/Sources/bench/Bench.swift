// SPDX-License-Identifier: Apache-2.0
import Corpus

/// Compares wamptap with similar programs on generated captures.
@main struct Bench {
  static func main() {
    guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
      print(Arguments.usage)
      System.exit(2)
    }
    if let kind = arguments.generate { return generate(kind, arguments) }
    var isComplete = true
    for kind in arguments.kinds {
      let comparison = Comparison(kind, arguments)
      isComplete = comparison.run() && isComplete
    }
    if !isComplete { System.exit(1) }
  }

  private static func generate(_ kind: Corpus.Kind, _ arguments: Arguments) {
    let corpus = Corpus(kind, messages: arguments.messages)
    let path = "\(arguments.directory)/\(corpus.fileName)"
    do {
      try corpus.write(to: path)
      print(path)
    } catch {
      print("\(path): cannot be written")
      System.exit(2)
    }
  }
}

struct Arguments {
  static let usage = """
    usage: bench [--runs N] [--also PATH]... [--without NAME]... [KIND]...
           bench generate [--messages N] KIND
      KIND              \(Corpus.Kind.allCases.map(\.rawValue).joined(separator: ", "))
      --wamptap PATH    what is measured (.build/release/wamptap)
      --skeleton PATH   the least that the architecture costs (.build/skeleton/release/tap)
      --also PATH       another program that is given the file
      --without NAME    leave out tshark, tcpdump, jq, ndjson, jobs or skeleton
      --runs N          of each program (5 where they are short, else 3)
      --messages N      in the generated file
      --directory PATH  where the generated files are (.build/bench-corpus)
    """

  var kinds: [Corpus.Kind] = []
  var generate: Corpus.Kind?
  var messages: Int?
  var runs: Int?
  var wamptap = ".build/release/wamptap"
  var skeleton = ".build/skeleton/release/tap"
  var others: [String] = []
  var without: Set<String> = []
  var directory = ".build/bench-corpus"

  init?(_ words: ArraySlice<String>) {
    var words = words
    let generates = words.first == "generate"
    if generates { words.removeFirst() }
    while let word = words.popFirst() {
      if let kind = Corpus.Kind(rawValue: word) {
        kinds.append(kind)
        continue
      }
      guard let value = words.popFirst() else { return nil }
      switch word {
      case "--wamptap": wamptap = value
      case "--skeleton": skeleton = value
      case "--also": others.append(value)
      case "--without": without.insert(value)
      case "--directory": directory = value
      case "--runs":
        guard let number = Int(value), number > 0 else { return nil }
        runs = number
      case "--messages":
        guard let number = Int(value), number > 0 else { return nil }
        messages = number
      default: return nil
      }
    }
    if generates {
      guard kinds.count == 1 else { return nil }
      generate = kinds[0]
    } else if kinds.isEmpty {
      kinds = Corpus.Kind.allCases.filter { !$0.isHuge }
    }
    System.makeDirectory(directory)
  }
}
