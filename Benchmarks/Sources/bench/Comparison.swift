// SPDX-License-Identifier: Apache-2.0
import Corpus

/// Runs all programs alternately on one kind of capture.
struct Comparison {
  /// The number of messages for slow programs, which would need minutes for all.
  private static let fewMessages = 100_000

  private struct Program {
    var name: String
    var command: [String]
    var isSlow = false
    var costs: [Cost] = []
    var problem: String?
    /// The allocations of one run; nil when not known.
    var allocations: Int?
  }

  private let kind: Corpus.Kind
  private let arguments: Arguments
  private let whole: Corpus
  private let few: Corpus
  /// The comparison for a protocol without a reader of its own.
  private var asMany: Corpus { Corpus(.small, messages: whole.messages) }

  init(_ kind: Corpus.Kind, _ arguments: Arguments) {
    (self.kind, self.arguments) = (kind, arguments)
    whole = Corpus(kind, messages: arguments.messages)
    few = Corpus(kind, messages: min(whole.messages, Self.fewMessages))
  }

  private func path(_ corpus: Corpus) -> String { "\(arguments.directory)/\(corpus.fileName)" }

  /// Returns whether wamptap itself succeeded.
  func run() -> Bool {
    var programs = choosePrograms()
    let corpora = [whole, few] + (kind == .stomp ? [asMany] : [])
    for corpus in corpora where System.size(of: path(corpus)) == nil {
      // In a process of its own, as this process's memory would count in the peak of its children.
      let command = [
        CommandLine.arguments[0], "generate", "--directory", arguments.directory, "--messages",
        String(corpus.messages), corpus.kind.rawValue,
      ]
      guard (try? System.run(command)) != nil else {
        print("\(path(corpus)): cannot be generated")
        return false
      }
    }
    let size = System.size(of: path(whole)) ?? 0
    print("\n\(path(whole)): \(whole.messages) messages, \(size / 1_000_000) MB")
    // One uncounted round to warm the caches.
    let rounds = (arguments.runs ?? (size < 100_000_000 ? 5 : 3)) + 1
    for round in 0..<rounds {
      for index in programs.indices where programs[index].problem == nil {
        if programs[index].isSlow && (round == 0 || round > 3) { continue }
        do {
          let cost = try System.run(programs[index].command)
          if round > 0 { programs[index].costs.append(cost) }
        } catch {
          programs[index].problem = error.text
        }
      }
    }
    for index in programs.indices where programs[index].problem == nil {
      programs[index].allocations = System.allocations(
        programs[index].command, directory: arguments.directory)
    }
    report(programs)
    return programs[0].problem == nil
  }

  private func choosePrograms() -> [Program] {
    let file = path(whole)
    var programs = [Program(name: "wamptap", command: [arguments.wamptap, file])]
    for other in arguments.others {
      programs.append(Program(name: other, command: [other, file]))
    }
    programs.append(
      Program(name: "wamptap -o ndjson", command: [arguments.wamptap, "-o", "ndjson", file]))
    if kind.isReadBySkeleton {
      programs.append(
        Program(name: "wamptap --jobs 1", command: [arguments.wamptap, "--jobs", "1", file]))
      programs.append(Program(name: "skeleton", command: [arguments.skeleton, file]))
    }
    if kind == .stomp {
      programs.append(
        Program(name: "wamptap, as many of WAMP", command: [arguments.wamptap, path(asMany)]))
    }
    programs += kind.isLog ? readersOfText : readersOfCaptures
    return programs.filter { program in
      !arguments.without.contains { program.name.contains($0) }
    }
  }

  /// Other programs that search the lines of a text for JSON.
  private var readersOfText: [Program] {
    [
      Program(
        name: "jq -R 'fromjson?'", command: ["jq", "-R", "fromjson?", path(few)], isSlow: true)
    ]
  }

  private var readersOfCaptures: [Program] {
    var fields = ["frame.time_epoch", "ip.src", "tcp.srcport", "ip.dst", "tcp.dstport"]
    fields +=
      kind == .mqtt ? ["mqtt.msgtype", "mqtt.topic", "mqtt.msg"] : ["websocket.payload.text"]
    return [
      Program(name: "tcpdump -nn", command: ["tcpdump", "-nn", "-r", path(whole)]),
      Program(
        name: "tshark -T fields",
        command: ["tshark", "-r", path(few), "-T", "fields"] + fields.flatMap { ["-e", $0] },
        isSlow: true),
    ]
  }

  private func report(_ programs: [Program]) {
    var table = Table([
      "", "µs/msg min", "median", "MB/s", "peak MB", "alloc/msg", "ratio", "elapsed",
    ])
    let base = programs[0].costs.map(\.microseconds).min().map { $0 / Double(whole.messages) }
    let clock = programs[0].costs.map(\.elapsed).min().map { $0 / Double(whole.messages) }
    for program in programs {
      if let problem = program.problem {
        table.add([program.name, problem])
        continue
      }
      let corpus = program.isSlow ? few : whole
      let size = Double(System.size(of: path(corpus)) ?? 0)
      let times = program.costs.map(\.microseconds).sorted()
      let best = times[0] / Double(corpus.messages)
      let elapsed = (program.costs.map(\.elapsed).min() ?? 0) / Double(corpus.messages)
      table.add([
        program.name, Table.text(best, 3),
        Table.text(times[times.count / 2] / Double(corpus.messages), 3),
        Table.text(size / max(times[0], 1), 0),
        Table.text(Double(program.costs.map(\.peakBytes).max() ?? 0) / 1e6, 1),
        program.allocations.map { Table.text(Double($0) / Double(corpus.messages), 3) } ?? "–",
        base.map { Table.text(best / $0, 2) } ?? "",
        clock.map { Table.text(elapsed / $0, 2) } ?? "",
      ])
    }
    print(table.text)
    for program in programs where program.isSlow && few.messages < whole.messages {
      print("\(program.name): \(few.messages) messages of the same kind")
    }
  }
}
