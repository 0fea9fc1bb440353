// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEvidence
import TapLogs
import TapSources
import TapTraffic

/// One piece of evidence as the user named it: a file, standard input, or a pasted message; or the
/// files of a log that was rotated. It is opened, then read on chunk by chunk, whenever it is its
/// turn.
struct InputFile {
  /// A file, by its number among all that were named.
  struct Part {
    let name: String
    let number: Int
    fileprivate var reader: FileReader?

    init(_ name: String, _ number: Int) { (self.name, self.number) = (name, number) }
  }

  /// What the user meant by the name.
  enum Meaning {
    case pastedText
    /// An option named it, so that a missing file is reported as such.
    case file
    /// An argument: where there is no such file, it may have been meant as a message.
    case fileOrText
  }

  enum Step {
    case more
    /// The end of a file that may grow, or nothing in a pipe for a while.
    case idle
    case end
    /// A signal came.
    case interrupted
    /// A file that is followed begins anew.
    ///
    /// - Parameters:
    ///   - lost: bytes that were held and are not understood.
    ///   - isTruncated: it is the same file, which got shorter.
    case restarted(lost: Int, isTruncated: Bool)
  }

  /// Bytes that are read first, when several files have to show where they begin.
  static let firstBytes = 16 << 10
  private static let leastBytes = 512

  let name: String
  /// Bytes of the next read.
  private var most: Int
  private var decoder: InputDecoder
  private var reader: FileReader?
  /// The folder that is read, if the name is that of a folder.
  private var folder: FolderEvidence?
  private let number: Int
  /// The files that follow this one.
  private var parts: [Part]
  /// What is in this file is not understood: the rest of it is passed over.
  private var isRefused = false
  let limits: Limits
  private(set) var choice: InputChoice
  /// Bytes that were read.
  var offset: UInt64 = 0
  private let meaning: Meaning
  /// It may grow: it is read on after its end.
  private let follows: Bool
  private var settling: Settling

  /// - Parameters:
  ///   - parts: one file, or those of a rotated log, the oldest first.
  ///   - most: bytes that are read at once.
  init(
    _ parts: [Part], as meaning: Meaning, most: Int, limits: Limits, choice: InputChoice,
    follows: Bool
  ) {
    var choice = choice
    // A pasted list is meant to be a message.
    if meaning == .pastedText { choice.isPasted = true }
    if parts.count > 1 { choice.succession = LogSuccession() }
    self.choice = choice
    self.follows = follows
    settling = Settling(patience: limits.settlingTime)
    (name, number, self.parts) = (parts[0].name, parts[0].number, Array(parts.dropFirst()))
    (self.meaning, self.most, self.limits) = (meaning, most, limits)
    decoder = InputDecoder(path: name, number: number, limits: limits, choice: choice)
  }

  /// Opens all of it; answers why parts of it cannot be read.
  mutating func open() -> [InputError] {
    var failures: [InputError] = []
    do {
      try openFirst()
    } catch {
      failures.append(error)
    }
    parts = parts.compactMap { part in
      var part = part
      do throws(InputError) {
        part.reader = try reader(part.name)
        return part
      } catch {
        failures.append(error)
        return nil
      }
    }
    if reader == nil && folder == nil && !isPasted { openNextPart() }
    choice.succession?.isLast = parts.isEmpty
    return failures
  }

  private mutating func openFirst() throws(InputError) {
    if isPasted { return }
    if name.isEmpty { throw InputError(path: name, .noName) }
    folder = try FolderEvidence(path: name, number: number, limits: limits)
    if folder != nil { return }
    reader = try reader(name)
    choice.isWhole = reader?.size != nil && !follows
    choice.isLive = !choice.isWhole
    decoder = InputDecoder(path: name, number: number, limits: limits, choice: choice)
  }

  private func reader(_ name: String) throws(InputError) -> FileReader {
    do {
      return try FileReader(path: name, wake: Interruption.wake, follows: follows)
    } catch {
      guard error.reason == .notFound && meaning == .fileOrText else { throw error }
      throw InputError(path: name, .neitherFileNorEvidence)
    }
  }

  private var isPasted: Bool { meaning == .pastedText }

  /// There is something of it to read.
  var isOpen: Bool { isPasted || folder != nil || reader != nil }

  /// It is followed, and not there yet.
  var isAwaited: Bool { reader?.isAwaited ?? false }

  /// Whether another of its files follows after one that could not be read.
  var goesOn: Bool { reader != nil || folder?.hasMore == true }

  /// Bytes of it; nil when that is not known before its end.
  var size: UInt64? {
    guard !isPasted, let size = reader?.size else { return isPasted ? 0 : nil }
    return parts.reduce(size) { $0 + ($1.reader?.size ?? 0) }
  }

  /// Whether so much of a text is left, or has come out of a pipe, that it is worth threads of its
  /// own to look for messages.
  var isLongText: Bool {
    guard decoder.isText, !follows, folder == nil else { return false }
    return (size ?? offset) >= Self.longBytes
  }

  /// Whether it is a file of packets, which do not grow.
  var isCapture: Bool { decoder.isCapture && reader.map { $0.size != nil } ?? true }

  private static let longBytes: UInt64 = 2 << 20

  /// Whether it may arrive as it happens: it is no file on a disk.
  var isLive: Bool { !isPasted && folder == nil && (follows || size == nil) }

  /// Whether it is a text that arrives as it happens.
  var isLiveText: Bool { isLive && decoder.isText }

  /// When lines of it have waited long enough for more; nil while none do.
  var settlingDue: UInt64? { settling.due }

  /// Decides on what has come, if lines of it have waited long enough for more.
  mutating func settle(at now: UInt64, _ sink: any EvidenceSink) {
    guard choice.isLive, settling.isDue(decoder.waiting, at: now) else { return }
    decoder.settle(sink)
    _ = settling.isDue(decoder.waiting, at: now)
  }

  /// One chunk; the first errors and the last findings are reported here too.
  ///
  /// - Parameter milliseconds: how long it waits for a pipe; -1 to wait as long as it takes.
  mutating func step(
    _ buffer: inout ContiguousArray<UInt8>, within milliseconds: Int32 = -1,
    _ sink: any EvidenceSink
  ) throws(InputError) -> Step {
    if folder != nil {
      guard let count = try folder!.step(&buffer, sink) else { return .end }
      offset += UInt64(count)
      return .more
    }
    guard let reader else {
      try paste(sink)
      return .end
    }
    let outcome: FileReader.Outcome
    do {
      outcome = try reader.read(into: &buffer, most: most, within: milliseconds)
    } catch {
      // What was read before is kept, the beginning of a packet too.
      try? decoder.finish(sink)
      leaveFile(sink)
      throw error
    }
    do throws(InputError) {
      switch outcome {
      case .octets(let count):
        offset += UInt64(count)
        try decoder.receive(buffer.span.bytes.extracting(0..<count), sink)
        return .more
      case .interrupted: return .interrupted
      case .idle: return .idle
      case .restarted: return .restarted(lost: decoder.restart(sink), isTruncated: false)
      case .truncated: return .restarted(lost: decoder.restart(sink), isTruncated: true)
      case .end: return try endFile(sink) ? .more : .end
      }
    } catch {
      leaveFile(sink)
      throw error
    }
  }

  /// This file has ended; answers whether another one follows.
  mutating func endFile(_ sink: any EvidenceSink) throws(InputError) -> Bool {
    // Right after a rotation, the current file of a log is empty.
    if !isRefused && !(choice.succession != nil && decoder.isEmpty) { try decoder.finish(sink) }
    if openNextPart() { return true }
    choice.succession?.finish(sink)
    return false
  }

  /// No more of this file is read.
  mutating func leaveFile(_ sink: any EvidenceSink) {
    if !openNextPart() { choice.succession?.finish(sink) }
  }

  /// Goes on to the next file; answers whether there is one.
  @discardableResult
  private mutating func openNextPart() -> Bool {
    isRefused = false
    guard !parts.isEmpty else {
      reader = nil
      return false
    }
    let part = parts.removeFirst()
    reader = part.reader
    var choice = choice
    if let succession = choice.succession {
      succession.isLast = parts.isEmpty
      // The next file may begin in the middle of a message, and be taken for something else.
      if succession.isUnderWay && choice.input == nil { choice.input = "log" }
    }
    decoder = InputDecoder(path: part.name, number: part.number, limits: limits, choice: choice)
    return true
  }

  /// The files, which another loop reads on in place of `step`.
  var files: [FileReader] { [reader].compactMap { $0 } + parts.compactMap(\.reader) }

  /// A chunk of one of `files`; most of these are texts.
  mutating func receive(
    _ chunk: RawSpan, _ survey: LogSurvey, _ sink: any EvidenceSink
  ) throws(InputError) {
    offset += UInt64(chunk.byteCount)
    if isRefused { return }
    do {
      try decoder.receive(chunk, survey, sink)
    } catch {
      isRefused = true
      throw error
    }
  }

  /// Nothing of it is read any more.
  mutating func close() { (reader, parts) = (nil, []) }

  /// No more of it is read, whether or not there is more.
  mutating func conclude(_ sink: any EvidenceSink) {
    guard reader != nil else { return }
    choice.succession?.isLast = true
    try? decoder.finish(sink)
    choice.succession?.finish(sink)
  }

  /// Chooses how much is read next, by how many bytes wait for earlier ones of other inputs: these
  /// have to be copied, and a compressed chunk may be a thousand times as large when inflated.
  mutating func adapt(waiting: Int, most limit: Int) {
    most = waiting > limit / 2 ? max(most / 2, Self.leastBytes) : min(most * 2, limit)
  }

  private mutating func paste(_ sink: any EvidenceSink) throws(InputError) {
    let bytes = FileName.octets(name)
    // A message may have lists inside that look like messages.
    if choice.recogniser().recognise(bytes.span.bytes, .text).grade == .likely {
      return sink.message(
        bytes.span.bytes, Delivery(Origin(input: UInt16(clamping: number)), .text))
    }
    // An object is a message, unless it is a log record that has a message, a list, inside.
    var ofLists = choice
    ofLists.recogniser = { [limits] in DialectTextRecogniser(limits: limits, ignoresObjects: true) }
    let first = bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") && !Pasted.isBytes(name)
      && !LogInput.holdsMessages(bytes.span.bytes, limits: limits, choice: ofLists)
    {
      var input = PasteInput(
        input: UInt16(clamping: number), limits: limits, choice: choice, takesObjects: true)
      input.receive(bytes.span.bytes, sink)
      return input.finish(sink)
    }
    try decoder.receive(bytes.span.bytes, sink)
    try decoder.finish(sink)
  }
}
