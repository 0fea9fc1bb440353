// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Topics as text: a heading, the sentence, and the parts in two columns. No line is wider than
/// asked for.
public struct TopicPage {
  /// Long lines are hard to read, however wide the terminal is.
  private static let widest = 100
  private static let narrowest = 40
  /// Where the text of a part begins.
  private static let column = 16

  private let width: Int
  private let style: Style
  /// Prints pasted messages of a dialect, as lines; an empty dialect is the one that the messages
  /// show.
  private let decode: (_ pasted: [String], _ dialect: String) -> [String]

  public init(
    width: Int, _ style: Style,
    decode: @escaping (_ pasted: [String], _ dialect: String) -> [String]
  ) {
    self.width = min(max(width, Self.narrowest), Self.widest)
    (self.style, self.decode) = (style, decode)
  }

  public func append(_ topic: Topic, to text: inout TextBuffer) {
    let heading = "\(topic.name)  \(topic.label)"
    for (number, line) in wrapped(heading, at: 0, hanging: 2).enumerated() {
      // A name is one word, and at the beginning of the first line.
      let name = number == 0 && line.hasPrefix(topic.name) ? topic.name : ""
      text.append(spaces: number == 0 ? 0 : 2)
      style.begin(.name, &text)
      text.append(name)
      style.end(&text)
      text.append(String(line.dropFirst(name.count)))
      text.append("\n")
    }
    text.append("\n")
    append(wrapped(topic.summary, at: 2), at: 2, &text)
    text.append("\n")
    for part in topic.parts { append(part, &text) }
    append(Topic.Part("Source", .prose(topic.source)), &text)
  }

  /// What can be explained, by groups, in columns as `ls` has them.
  public func append(listOf topics: [Topic], to text: inout TextBuffer) {
    var groups: [Topic.Group] = []
    for topic in topics where !groups.contains(topic.group) { groups.append(topic.group) }
    for (number, group) in groups.enumerated() {
      if number > 0 { text.append("\n") }
      style.begin(.name, &text)
      text.append(group.title)
      style.end(&text)
      text.append("\n")
      append(columnsOf: Self.entries(topics.filter { $0.group == group }), &text)
    }
  }

  /// `33 SUBSCRIBED`, in the order of the numbers where there are any. What has no name of its own
  /// is left out.
  private static func entries(_ topics: [Topic]) -> [String] {
    let named = topics.filter { $0.numbers?.count ?? 1 == 1 || $0.name.first!.isNumber }
    let sorted = named.enumerated().sorted {
      ($0.element.numbers?.lowerBound ?? 0, $0.offset)
        < ($1.element.numbers?.lowerBound ?? 0, $1.offset)
    }.map(\.element)
    let digits = sorted.compactMap(\.numbers).map { "\($0.lowerBound)".count }.max() ?? 0
    return sorted.map { topic in
      guard let number = topic.numbers?.lowerBound, !topic.name.first!.isNumber
      else { return topic.name }
      let padding = String(repeating: " ", count: digits - "\(number)".count)
      return "\(padding)\(number) \(topic.name)"
    }
  }

  /// Down the columns. What is wider than half a line stands below, so that it costs no column.
  private func append(columnsOf all: [String], _ text: inout TextBuffer) {
    let names = all.filter { $0.count <= (width - 4) / 2 }
    let widest = names.map(\.count).max() ?? 0
    let columns = width / (widest + 2)
    let rows = (names.count + columns - 1) / columns
    for row in 0..<rows {
      var line = ""
      for at in stride(from: row, to: names.count, by: rows) {
        line += "  " + names[at]
        if at + rows < names.count {
          line += String(repeating: " ", count: widest - names[at].count)
        }
      }
      text.append(line)
      text.append("\n")
    }
    for name in all where name.count > (width - 4) / 2 {
      append(wrapped(name, at: 2), at: 2, &text)
    }
  }

  private func append(_ part: Topic.Part, _ text: inout TextBuffer) {
    var lines: [String] = []
    switch part.body {
    case .prose(let prose): lines = wrapped(prose, at: Self.column)
    case .lines(let forms):
      for form in forms { lines += wrapped(form, at: Self.column, hanging: 4) }
    case .example(let pasted, let dialect):
      var shown = decode(pasted, "")
      let isReported = !shown.isEmpty || dialect.isEmpty
      if !isReported { shown = decode(pasted, dialect) }
      lines = command(pasted, isReported ? "" : "--dialect \(dialect) ")
      for line in shown { lines += wrapped(line, at: Self.column, hanging: 4) }
    }
    if lines.isEmpty { return }
    text.append("  ")
    style.begin(.dim, &text)
    text.append(part.heading)
    style.end(&text)
    text.append(spaces: max(1, Self.column - 2 - part.heading.count))
    text.append(lines[0])
    text.append("\n")
    append(Array(lines.dropFirst()), at: Self.column, &text)
  }

  /// One command for all of the messages, as one would type it.
  private func command(_ pasted: [String], _ options: String) -> [String] {
    // A quote ends the text that the shell takes as it is.
    let words = pasted.map {
      "'"
        + $0.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
    }
    let program = "$ wamptap " + options
    let whole = program + words.joined(separator: " ")
    if Self.column + whole.count <= width { return [whole] }
    var lines: [String] = []
    var rest = words[...]
    if Self.column + program.count + words[0].count + 2 <= width {
      lines.append("\(program)\(rest.removeFirst()) \\")
    } else {
      lines.append(program + "\\")
    }
    for (number, word) in rest.enumerated() {
      let end = number == rest.count - 1 ? "" : " \\"
      lines += broken(word + end, room: width - Self.column - 4).map { "    " + $0 }
    }
    return lines
  }

  /// A message in lines that may be pasted together: broken between the tokens of JSON alone. A
  /// string that has no room stays whole.
  private func broken(_ message: String, room: Int) -> [String] {
    var lines = [""]
    var piece = ""
    var isInString = false
    var isEscaped = false
    func place() {
      if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + piece.count > room {
        lines.append("")
      }
      lines[lines.count - 1] += piece
      piece = ""
    }
    for character in message {
      piece.append(character)
      if isInString {
        if !isEscaped && character == "\"" { isInString = false }
        isEscaped = !isEscaped && character == "\\"
      } else if character == "\"" {
        isInString = true
      } else if ",:[{".contains(character), message.hasPrefix("'[") || message.hasPrefix("'{") {
        place()
      }
    }
    place()
    return lines
  }

  private func append(_ lines: [String], at indent: Int, _ text: inout TextBuffer) {
    for line in lines {
      text.append(spaces: indent)
      text.append(line)
      text.append("\n")
    }
  }

  /// Lines that fit behind `indent` columns; those behind the first begin with `hanging` spaces.
  /// A word that is too long for a line is cut.
  private func wrapped(_ text: String, at indent: Int, hanging: Int = 0) -> [String] {
    let room = width - indent
    let margin = String(repeating: " ", count: hanging)
    var lines: [String] = []
    var line = ""
    var isFresh = true
    // Double spaces are kept, as the columns of a decoded line are made of them.
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var word = word
      if !isFresh && line.count + 1 + word.count > room {
        lines.append(Self.trimmed(line))
        line = margin
        isFresh = true
      }
      if !isFresh { line += " " }
      while line.count + word.count > room {
        let fits = word.prefix(room - line.count)
        lines.append(line + fits)
        word = word.dropFirst(fits.count)
        line = margin
      }
      line += word
      if !word.isEmpty { isFresh = false }
    }
    if !isFresh { lines.append(Self.trimmed(line)) }
    return lines
  }

  private static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
