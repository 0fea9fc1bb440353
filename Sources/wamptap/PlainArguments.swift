// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The commonest command lines, `wamptap FILE…`, `wamptap '[…]'` and the same with `-v`, `-q`,
/// `-x` or `-o FORMAT`, read ahead of the argument parser: its look-ups of conformances take three
/// quarters of what a pasted message takes as a whole.
///
/// What is read here is what the parser would read (PlainArgumentsTests compare both); all else is
/// left to it.
struct PlainArguments {
  private var words: [String] = []
  private var format: String?
  private var verbosity = 0
  private var hasHex = false
  private var isQuiet = false

  /// - Returns: nil when the argument parser has to read them.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-v": verbosity += 1
      case "-vv": verbosity += 2
      case "-x": hasHex = true
      case "-q": isQuiet = true
      case "-o":
        guard format == nil, let name = rest.popFirst(), Self.isFormat(name) else { return nil }
        format = name
      default:
        if argument.isEmpty || argument.utf8.first == UInt8(ascii: "-")
          || Self.isCommand(argument)
        {
          return nil
        }
        words.append(argument)
      }
    }
    if words.isEmpty { return nil }
  }

  /// A subcommand of the program, or of the argument parser.
  private static func isCommand(_ word: String) -> Bool {
    if word == "help" { return true }
    // Names are short; messages are not, and no list of commands has to be made for them.
    if word.utf8.count > 16 { return false }
    return Wamptap.commands.contains(word)
  }

  private static func isFormat(_ name: String) -> Bool { name == "text" || name == "ndjson" }

  /// The command as the argument parser makes it: each option that is not given has its default.
  var show: Show {
    var evidence = EvidenceOptions()
    evidence.evidence = words
    (evidence.files, evidence.input, evidence.dialect, evidence.jobs) = ([], nil, nil, nil)
    var capture = CaptureOptions()
    (capture.interfaces, capture.filter, capture.snaplen) = ([], nil, nil)
    (capture.isNotPromiscuous, capture.buffer, capture.path) = (false, nil, nil)
    (capture.rotateMillions, capture.rotateSeconds, capture.mostFiles) = (nil, nil, nil)
    capture.user = nil
    var filtering = FilterOptions()
    (filtering.filter, filtering.showsPossible) = (nil, false)
    var saving = SavingOptions()
    (saving.path, saving.keep) = (nil, .connection)
    var failing = FailOnOptions()
    failing.failOn = .never
    var output = OutputOptions()
    (output.format, output.path, output.time) = (format ?? "text", nil, .r)
    (output.verbosity, output.fields, output.hex) = (verbosity, false, hasHex)
    (output.quiet, output.context, output.color) = (isQuiet, false, .auto)
    (output.notes, output.width, output.wrap, output.maxPayload) = (false, nil, false, nil)
    output.lineNumbers = false
    output.showSecrets = false
    var stream = StreamOptions()
    (stream.count, stream.span, stream.flushesLines, stream.follows) = (nil, nil, false, false)
    var keyLog = KeyLogOptions()
    keyLog.paths = []
    var naming = NamesOptions()
    (naming.namesPath, naming.ignoresNames) = (nil, false)
    var show = Show()
    (show.evidence, show.capture, show.filtering) = (evidence, capture, filtering)
    (show.saving, show.failing) = (saving, failing)
    (show.output, show.stream, show.keyLog, show.naming) = (output, stream, keyLog, naming)
    show.listsInterfaces = false
    return show
  }
}
