// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapSources
import TapTraffic

/// What to capture, and what of it to keep; tcpdump's letters.
struct CaptureOptions: ParsableArguments {
  @Option(
    name: [.customShort("i"), .customLong("interface")],
    help: ArgumentHelp(
      "Capture on this interface; 'any' for all. May be given more than once.",
      valueName: "interface"),
    completion: .shellCommand("wamptap interfaces --names 2>/dev/null"))
  var interfaces: [String] = []

  @Option(
    name: [.customShort("f"), .customLong("filter")],
    help: ArgumentHelp(
      "Only packets that this expression matches, as tcpdump has it; also the words after the"
        + " options of -i.", valueName: "expression"))
  var filter: String?

  @Option(
    name: [.customShort("s"), .customLong("snapshot-length")],
    help: ArgumentHelp(
      "Capture N bytes of each packet; 0 for 262144.", valueName: "bytes"))
  var snaplen: Int?

  @Flag(
    name: [.customShort("p"), .customLong("no-promiscuous-mode")],
    help: "Do not ask the interface for packets that are for others.")
  var isNotPromiscuous = false

  @Option(
    name: [.customShort("B"), .customLong("buffer-size")],
    help: ArgumentHelp("KiB of the kernel's buffer, 16384 without it.", valueName: "KiB"))
  var buffer: Int?

  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp(
      "Keep the packets as pcapng in this file, while they are decoded.", valueName: "file"),
    completion: .file())
  var path: String?

  @Option(
    name: .customShort("C"),
    help: ArgumentHelp(
      "With -w, begin the next file after N million bytes.", valueName: "millions"))
  var rotateMillions: UInt64?

  @Option(
    name: .customShort("G"),
    help: ArgumentHelp(
      "With -w, begin the next file after N seconds; the name may have strftime's"
        + " conversions.", valueName: "seconds"))
  var rotateSeconds: Int64?

  @Option(
    name: .customShort("W"),
    help: ArgumentHelp(
      "With -C, keep N files and overwrite the oldest; with -G, stop after N files.",
      valueName: "number"))
  var mostFiles: Int?

  @Option(
    name: [.customShort("Z"), .customLong("relinquish-privileges")],
    help: ArgumentHelp(
      "Drop root for this user once the interface is open; with sudo, the user who ran it.",
      valueName: "user"))
  var user: String?

  /// Of the bytes of a file.
  private static let mostMillions = UInt64.max / 1_000_000

  func validate() throws {
    if let snaplen, snaplen < 0 || snaplen > 16 << 20 {
      throw ValidationError("-s takes a number of bytes, 0 to 16777216")
    }
    if let buffer, buffer < 1 || buffer > 2 << 20 {
      throw ValidationError("-B takes a number of KiB, 1 to 2097151")
    }
    if interfaces.isEmpty {
      let needless: [(Bool, String)] = [
        (snaplen != nil, "-s"), (isNotPromiscuous, "-p"), (buffer != nil, "-B"),
        (user != nil, "-Z"),
      ]
      for (isGiven, name) in needless where isGiven {
        throw ValidationError("\(name) is about live capture, and needs -i")
      }
    }
    if path == nil && (rotateMillions != nil || rotateSeconds != nil || mostFiles != nil) {
      throw ValidationError("-C, -G and -W are about the files of -w")
    }
    if let rotateMillions, !(1...Self.mostMillions).contains(rotateMillions) {
      throw ValidationError("-C takes a number of millions, 1 to \(Self.mostMillions)")
    }
    if let rotateSeconds, rotateSeconds < 1 {
      throw ValidationError("-G takes a number of seconds, 1 or more")
    }
    if let mostFiles, mostFiles < 1 || rotateMillions == nil && rotateSeconds == nil {
      throw ValidationError("-W takes a number of files, 1 or more, and needs -C or -G")
    }
    if path == "-" && (rotateMillions != nil || rotateSeconds != nil) {
      throw ValidationError("standard output cannot be rotated")
    }
    if path?.isEmpty == true { throw ValidationError("-w takes the name of a file") }
  }

  /// What the arguments ask for; nil where nothing was named and standard input is a terminal.
  ///
  /// - Parameter output: where text goes; nil for standard output.
  func request(_ evidence: EvidenceOptions, output: String?) throws -> Request? {
    let (files, words) = (evidence.files, evidence.evidence)
    var request = Request(names: files, files: files.count)
    (request.choice, request.dialect) = (evidence.choice, evidence.dialect)
    request.jobs = evidence.jobs ?? request.jobs
    request.filter = filter ?? ""
    request.user = user
    request.settings.isPromiscuous = !isNotPromiscuous
    if let snaplen, snaplen > 0 { request.settings.snaplen = snaplen }
    request.settings.waitingBytes = Limits().captureBytes
    if let buffer { request.settings.bufferBytes = buffer << 10 }
    if !interfaces.isEmpty {
      if !files.isEmpty {
        throw ValidationError(
          "-i captures and -r reads, and a run does one of them: leave out -i to read"
            + " '\(files[0])'; -w saves captured packets, to be read later")
      }
      try refuseFiles(words)
      try take(words, into: &request)
      request.interfaces = interfaces
      (request.names, request.files) = (interfaces, interfaces.count)
    } else if !files.isEmpty && filter == nil && Self.isFilter(words) {
      try take(words, into: &request)
    } else {
      try Typo.refuse(words, commands: Wamptap.commands)
      guard let names = evidence.names else { return nil }
      request.names = names
    }
    request.settings.filter = request.filter
    try keep(&request, output)
    return request
  }

  /// Words behind -i are a packet filter. Refuses a file among them, which was meant to be read.
  private func refuseFiles(_ words: [String]) throws {
    let isFile = { (word: String) in word == "-" || Terminal.exists(word) }
    guard let file = words.first(where: isFile) else { return }
    // A file may have the same name as a word of the filter, as `tcp`.
    if (try? PacketFilter(words.joined(separator: " "))) != nil { return }
    throw ValidationError(
      "-i captures, and '\(file)' is a file to be read; a run does one of them: leave out -i to"
        + " read it, or give a filter such as 'port 8080'")
  }

  private func take(_ words: [String], into request: inout Request) throws {
    if words.isEmpty { return }
    if filter != nil {
      throw ValidationError("the filter is given twice, by -f and by '\(words[0])'")
    }
    request.filter = words.joined(separator: " ")
  }

  private func keep(_ request: inout Request, _ output: String?) throws {
    guard let path else { return }
    let isText = output == nil || output == "-"
    if path == "-" && isText {
      throw ValidationError("-w - puts packets where the text goes; choose a file for it by -O")
    }
    if path == output && path != "-" {
      throw ValidationError("-w and -O cannot write the same file")
    }
    if request.interfaces.isEmpty && request.names != ["-"] {
      throw ValidationError("-w saves packets of an interface or of standard input, not of files")
    }
    request.path = path
    request.rotation.bytes = rotateMillions.map { $0 * 1_000_000 }
    request.rotation.seconds = rotateSeconds
    request.rotation.files = mostFiles
  }

  /// Whether words behind -r are an expression, as tcpdump has it there: none of them is a file, or
  /// evidence, and libpcap takes them all together.
  private static func isFilter(_ words: [String]) -> Bool {
    if words.isEmpty || words.contains(where: { $0 == "-" || Terminal.exists($0) }) { return false }
    return (try? PacketFilter(words.joined(separator: " "))) != nil
  }
}
