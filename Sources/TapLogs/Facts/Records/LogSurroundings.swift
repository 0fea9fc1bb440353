// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The members of the records around a message that say who sends it, and of its connection.
struct LogSurroundings {
  struct Member {
    /// How good its name is: the lower, the better.
    let rank: UInt8
    /// The offset behind its colon.
    let start: Int
    /// A short string, or one word.
    let value: Range<Int>
  }

  /// The longest value that is used, in bytes.
  private static let longestText = 64

  /// The name of the member that has the message.
  let name: Range<Int>
  let direction, connection, process, host: Member?
  /// The direction stands beside that member, and not in a record further out.
  let isDirectionBeside: Bool

  /// The connection: the name of its key, and its value; nil where nothing names one.
  func connection(_ line: RawSpan) -> (name: StaticString, value: Range<Int>)? {
    guard let connection, connection.value.contains(where: { line.byte(at: $0).isDigit })
    else { return nil }
    let name = LogConnectionKeys.names.words[Int(connection.rank)]
    return (name, connection.value.prefix(Self.longestText))
  }

  /// Whether it says who wrote the message, or on which connection.
  func isNamed(_ line: RawSpan) -> Bool { process != nil || connection(line) != nil }

  /// The host and the id of the process that wrote it.
  func process(_ line: RawSpan) -> String? {
    guard let process else { return nil }
    if LogMemberNames.isOfInstance(process.rank) { return Self.text(line, process.value) }
    let host = host.map { Self.text(line, $0.value) + " " } ?? ""
    return "\(host)process \(Self.text(line, process.value))"
  }

  /// Who sends, and the member that says so.
  func said(_ line: RawSpan) -> (direction: LogDirection, member: Range<Int>)? {
    // A list of numbers in any other member may be a place or a size, unless it is text.
    guard let member = direction, LogMemberNames.isPayload(line.extracting(name)) || isText(line),
      let direction = LogMemberNames.direction(line.extracting(member.value), member.rank),
      let word = LogTimeNames.word(line, before: member.start - 1)
    else { return nil }
    let end = min(line.byteCount, member.value.upperBound + 1)
    return (direction, max(0, word.lowerBound - 1)..<end)
  }

  /// Whether the member that has the message is a string.
  private func isText(_ line: RawSpan) -> Bool {
    var at = line.behind(name.upperBound) { [.quote, .backslash].contains($0) }
    while at < line.byteCount, [.space, .colon].contains(line.byte(at: at)) { at += 1 }
    while at < line.byteCount, line.byte(at: at) == .backslash { at += 1 }
    return at < line.byteCount && line.byte(at: at) == .quote
  }

  private static func text(_ line: RawSpan, _ range: Range<Int>) -> String {
    String(decoding: line.extracting(range).copied().prefix(longestText), as: Unicode.UTF8.self)
  }
}
