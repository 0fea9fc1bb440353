// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInputs
import TapSources
import TapTraffic

/// One piece of evidence as the user named it: a file, standard input, or a pasted message. It is
/// opened, then read on chunk by chunk, whenever it is its turn.
struct Evidence {
  enum Step {
    case more
    /// The end of a file that may grow, or nothing in a pipe for a while.
    case idle
    case end
    /// A signal came.
    case interrupted
  }

  /// Octets that are read first, when several files have to show where they begin.
  private static let firstBytes = 16 << 10
  private static let leastBytes = 512

  let name: String
  /// Octets of the next read.
  private var most: Int
  private var decoder: Decoder
  private var reader: FileReader?
  /// Instead of a file.
  private var folder: FolderEvidence?
  private let number: Int
  private let limits: Limits
  /// Octets that were read.
  var offset: UInt64 = 0
  private let isPasted: Bool
  /// By an option, so that no other meaning is looked for.
  private let isNamedAsFile: Bool
  /// It may grow, and its end is none.
  private let follows: Bool

  /// - Parameters:
  ///   - most: octets that are read at once.
  ///   - isAlone: no other evidence has to be merged with it.
  init(
    name: String, number: Int, isPasted: Bool, isNamedAsFile: Bool, most: Int, isAlone: Bool,
    limits: Limits, choice: InputChoice, follows: Bool
  ) {
    var choice = choice
    // Who pastes a list means it.
    if isPasted { choice.isPasted = true }
    self.follows = follows
    (self.name, self.isPasted, self.isNamedAsFile) = (name, isPasted, isNamedAsFile)
    self.most = isAlone ? most : min(most, Self.firstBytes)
    (self.number, self.limits) = (number, limits)
    decoder = Decoder(path: name, number: UInt16(clamping: number), limits: limits, choice: choice)
  }

  mutating func open() throws(InputError) {
    if isPasted { return }
    if name.isEmpty { throw InputError(path: name, .noName) }
    folder = try FolderEvidence(path: name, number: number, limits: limits)
    if folder != nil { return }
    do {
      reader = try FileReader(path: name, wake: Interruption.wake, follows: follows)
    } catch {
      guard error.reason == .notFound && !isNamedAsFile else { throw error }
      throw InputError(path: name, .neitherFileNorEvidence)
    }
  }

  /// Octets of it; nil when that is not known before its end.
  var size: UInt64? { isPasted ? 0 : reader?.size }

  /// Whether so much of a text is left, or has come out of a pipe, that it is worth threads of its
  /// own to look for messages.
  var isLongText: Bool {
    guard decoder.isText, !follows, folder == nil else { return false }
    return (size ?? offset) >= Self.longBytes
  }

  private static let longBytes: UInt64 = 2 << 20

  /// Whether it may arrive as it happens: it is no file on a disk.
  var isLive: Bool { !isPasted && folder == nil && (follows || size == nil) }

  /// Whether it is a text that arrives as it happens.
  var isLiveText: Bool { isLive && decoder.isText }

  /// One chunk; the first errors and the last findings are told here too.
  ///
  /// - Parameter milliseconds: how long it waits for a pipe; -1 to wait as long as it takes.
  mutating func step(
    _ buffer: inout ContiguousArray<UInt8>, within milliseconds: Int32 = -1, _ floor: any Floor
  ) throws(InputError) -> Step {
    if folder != nil {
      guard let count = try folder!.step(&buffer, floor) else { return .end }
      offset += UInt64(count)
      return .more
    }
    guard let reader else {
      try paste(floor)
      return .end
    }
    let outcome: FileReader.Outcome
    do {
      outcome = try reader.read(into: &buffer, most: most, within: milliseconds)
    } catch {
      // What was read before is kept, the beginning of a packet too.
      try? decoder.finish(floor)
      throw error
    }
    switch outcome {
    case .octets(let count):
      offset += UInt64(count)
      try decoder.receive(buffer.span.bytes.extracting(0..<count), floor)
      return .more
    case .interrupted: return .interrupted
    case .idle: return .idle
    case .restarted:
      try decoder.restart(floor)
      return .more
    case .end:
      try decoder.finish(floor)
      self.reader = nil
      return .end
    }
  }

  /// The file, for whoever reads it on instead of `step`.
  var file: FileReader? { reader }

  /// A chunk of a text that was read from `file`.
  mutating func receive(_ chunk: RawSpan, _ survey: LogSurvey, _ floor: any Floor) {
    offset += UInt64(chunk.byteCount)
    decoder.receive(chunk, survey, floor)
  }

  /// Nothing of it is read any more.
  mutating func close() { reader = nil }

  /// No more of it is read, whether or not there is more.
  mutating func conclude(_ floor: any Floor) {
    if reader != nil { try? decoder.finish(floor) }
  }

  /// Chooses how much is read next, by how much of the last chunk came before its time: what waits
  /// has to be copied, and a compressed chunk may be a thousand times as large inflated.
  mutating func adapt(waiting: Int, most limit: Int) {
    most = waiting > limit / 2 ? max(most / 2, Self.leastBytes) : min(most * 2, limit)
  }

  private mutating func paste(_ floor: any Floor) throws(InputError) {
    let bytes = ContiguousArray(name.utf8)
    guard name.contains("[") || Pasted.isBytes(name) || Pasted.isLine(name) else {
      // An object is no WAMP, and the dialect says why.
      return floor.message(bytes.span.bytes, Delivery(Origin(), .text))
    }
    try decoder.receive(bytes.span.bytes, floor)
    try decoder.finish(floor)
  }
}
