// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Finds leads: places that make a line worth reading. A lead is a list that may be a message, the
/// anchor of a format, or what messages of a dialect begin with. All other lines are only looked at
/// sixty-four bytes at a time.
public final class LogLeads: Sendable {
  /// What lines are searched for: the end of a line, NUL, CR and ESC, the beginning of a list, and
  /// those of anchors.
  let triples: OctetTriples
  /// The triples of formats and lists; those of dialects are added for each reader.
  private let kinds: [OctetTriples.Kind]
  let packets: PacketStarts
  /// Where objects are looked for.
  let objects: ObjectStarts
  /// Objects are looked for behind words that say that they were sent.
  let takesSentJSON: Bool
  /// All kinds of words that are looked for.
  let all: LogAnchors
  /// All anchors; those that begin with the same byte stand together.
  private let anchors: ContiguousArray<(word: StaticString, kind: LogAnchors)>
  /// The first eight bytes of each anchor, as they lie in memory, and which of them count.
  private let words: ContiguousArray<(octets: UInt64, mask: UInt64)>
  /// Of each byte, which anchors begin with it.
  private let ranges: ContiguousArray<Range<UInt8>>
  /// What anchors and packets begin with: a bit for each second byte, in four words for each first
  /// one.
  private let begins: ContiguousArray<UInt64>
  /// For each byte that anchors and packets begin with, the bytes that may come third.
  private let thirds: ContiguousArray<ASCIISet>
  /// All bytes.
  private static let any = (0..<128).reduce(into: ASCIISet()) { $0.insert($1) }
  /// What may stand behind the bracket of a list, or of an anchor.
  private let behindBracket: ASCIISet
  /// All pairs that may make a line worth reading, in the same form. The search for sixty-four
  /// bytes at a time finds others as well.
  private let worthy: ContiguousArray<UInt64>

  /// - Parameter marks: words that only objects have that are messages.
  init(_ anchors: [StaticString], marks: [StaticString] = []) {
    let all =
      anchors.map { (word: $0, kind: LogAnchors.program) }
      + LogFormats.anchorsOfObjects.map { (word: $0, kind: LogAnchors.sent) }
      + marks.map { (word: $0, kind: LogAnchors.object) }
    self.anchors = ContiguousArray(all.sorted { $0.word.utf8Start[0] < $1.word.utf8Start[0] })
    self.all = marks.isEmpty ? .program : [.program, .object]
    let anchors = self.anchors.map(\.word)
    ranges = ContiguousArray(
      (UInt8.min...UInt8.max).map { octet in
        let first = anchors.firstIndex { $0.utf8Start[0] >= octet } ?? anchors.count
        let end = anchors.firstIndex { $0.utf8Start[0] > octet } ?? anchors.count
        return UInt8(first)..<UInt8(end)
      })
    words = ContiguousArray(
      anchors.map { anchor in
        let count = min(anchor.utf8CodeUnitCount, 8)
        let octets = (0..<count).reduce(UInt64(0)) {
          $0 | UInt64(anchor.utf8Start[$1]) << UInt64($1 * 8)
        }
        return (octets, UInt64.max >> UInt64((8 - count) * 8))
      })
    var begins = ContiguousArray<UInt64>(repeating: 0, count: 4 * 256)
    var thirds = ContiguousArray(repeating: ASCIISet(), count: 256)
    var behind = ASCIISet()
    for anchor in anchors {
      let first = Int(anchor.utf8Start[0])
      Self.insert(anchor.utf8Start[0], anchor.utf8Start[1], &begins)
      if first == 0x5B { behind.insert(anchor.utf8Start[1]) }
      if anchor.utf8CodeUnitCount > 2 {
        thirds[first].insert(anchor.utf8Start[2])
      } else {
        thirds[first] = Self.any
      }
    }
    (self.begins, self.thirds) = (begins, thirds)
    for octet in UInt8(0)..<128 where !octet.isAlpha { behind.insert(octet) }
    // `[text, 24 bytes]` says a size.
    behind.insert(UInt8(ascii: "t"))
    behind.insert(UInt8(ascii: "b"))
    for octet in SentJSON.elements { behind.insert(octet) }
    // `43[false]`: the data of a packet.
    behind.insert(UInt8(ascii: "f"))
    behindBracket = behind
    kinds = OctetTriples.joined(
      Self.kinds(anchors, behindBracket: behind), most: OctetTriples.most - 1)
    triples = OctetTriples(kinds)
    (packets, objects, takesSentJSON) = (PacketStarts([]), ObjectStarts([]), false)
    worthy = Self.worthy(begins, behind, takesSentJSON: false)
  }

  /// Adds what dialects look for.
  public init(_ recogniser: any TextRecogniser) {
    objects = ObjectStarts(recogniser.objectMarks, areAll: recogniser.takesObjects)
    let known =
      objects.marks.isEmpty
      ? LogFormats.leads : LogLeads(LogFormats.anchors, marks: objects.marks)
    (anchors, words, ranges) = (known.anchors, known.words, known.ranges)
    takesSentJSON = recogniser.takesSentJSON
    all = takesSentJSON ? known.all.union(.sent) : known.all
    behindBracket = known.behindBracket
    (kinds, packets) = (known.kinds, PacketStarts(recogniser.textStarts))
    var packet = OctetTriples.Kind()
    packet.insert(second: 0x7B)
    packet.insertAnyThird()
    var (begins, thirds) = (known.begins, known.thirds)
    for start in packets.all where start.isOfObjects {
      let last = start.head.utf8Start[start.head.utf8CodeUnitCount - 1]
      packet.insert(first: last)
      Self.insert(last, 0x7B, &begins)
      thirds[Int(last)] = Self.any
    }
    if takesSentJSON {
      for octet in SentJSON.before { packet.insert(first: octet) }
    }
    if packets.mayHaveNamespaces { packet.insert(first: .comma) }
    if objects.areAll {
      var object = OctetTriples.Kind()
      object.insert(first: 0x7B)
      object.insertAnySecond()
      object.insertAnyThird()
      for octet in UInt8.min...UInt8.max { Self.insert(0x7B, octet, &begins) }
      thirds[0x7B] = Self.any
      let others = OctetTriples.joined(kinds, most: OctetTriples.most - 2)
      triples = OctetTriples(others + [packet, object])
    } else {
      triples = OctetTriples(kinds + [packet])
    }
    (self.begins, self.thirds) = (begins, thirds)
    var worthy = Self.worthy(begins, known.behindBracket, takesSentJSON: takesSentJSON)
    if packets.mayHaveNamespaces { Self.insert(.comma, .openBrace, &worthy) }
    self.worthy = worthy
  }

  private static func worthy(
    _ begins: ContiguousArray<UInt64>, _ behindBracket: ASCIISet, takesSentJSON: Bool
  ) -> ContiguousArray<UInt64> {
    var pairs = begins
    for octet in UInt8.min...UInt8.max where octet >= 128 || behindBracket.contains(octet) {
      insert(0x5B, octet, &pairs)
    }
    if takesSentJSON {
      for octet in SentJSON.before { insert(octet, 0x7B, &pairs) }
    }
    return pairs
  }

  private static func insert(
    _ first: UInt8, _ second: UInt8, _ table: inout ContiguousArray<UInt64>
  ) {
    table[Int(first) << 2 | Int(second >> 6)] |= 1 << UInt64(second & 63)
  }

  /// Whether three bytes stand there that anchors or packets begin with.
  @inline(__always)
  private func isBeginning(_ line: RawSpan, _ at: Int) -> Bool {
    guard at + 1 < line.byteCount else { return false }
    let first = line.byte(at: at)
    guard Self.contains(begins, first, line.byte(at: at + 1)) else { return false }
    // Behind an anchor of two bytes anything may stand.
    return at + 2 >= line.byteCount || mayContinue(first, line.byte(at: at + 2))
  }

  /// Whether an anchor that begins with a byte may have this one as its third.
  @inline(__always)
  private func mayContinue(_ first: UInt8, _ third: UInt8) -> Bool {
    third >= 128 || thirds[Int(first)].contains(third)
  }

  @inline(__always)
  private static func contains(
    _ pairs: ContiguousArray<UInt64>, _ first: UInt8, _ second: UInt8
  ) -> Bool {
    pairs[Int(first) << 2 | Int(second >> 6)] &>> UInt64(second & 63) & 1 == 1
  }

  /// NUL, CR and ESC.
  private static let controls: [UInt8] = [0x00, 0x0D, 0x1B]

  private static func kinds(
    _ anchors: [StaticString], behindBracket: ASCIISet
  ) -> [OctetTriples.Kind] {
    var (end, control) = (OctetTriples.Kind(), OctetTriples.Kind())
    end.insert(first: 0x0A)
    for octet in controls { control.insert(first: octet) }
    end.insertAnySecond()
    control.insertAnySecond()
    // One kind for each upper half of a byte: as the search knows bytes by their halves, a single
    // kind of all of these would have all letters, too.
    var bracket = OctetTriples.Kind()
    bracket.insert(first: 0x5B)
    var letters = Array(repeating: bracket, count: 4)
    for octet in UInt8.min...UInt8.max {
      guard octet >= 128 || behindBracket.contains(octet) else { continue }
      if octet & 0xC0 == 0x40 {
        letters[Int(octet >> 4 & 3)].insert(second: octet)
      } else {
        bracket.insert(second: octet)
      }
    }
    var others: [UInt8: OctetTriples.Kind] = [:]
    for anchor in anchors where anchor.utf8Start[0] != .openBracket {
      let first = anchor.utf8Start[0]
      others[first, default: OctetTriples.Kind()].insert(first: first)
      others[first]?.insert(second: anchor.utf8Start[1])
      if anchor.utf8CodeUnitCount > 2 {
        others[first]?.insert(third: anchor.utf8Start[2])
      } else {
        others[first]?.insertAnyThird()
      }
    }
    let lists = ([end, control, bracket] + letters).map { kind in
      var kind = kind
      kind.insertAnyThird()
      return kind
    }
    return lists + others.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether a lead may stand at an offset; at most of those that are found, none does.
  ///
  /// - Parameters:
  ///   - line: in a text that may go on behind its end; what stands there is not looked at.
  ///   - start: where the line begins.
  @inline(__always)
  func mayLead(_ line: RawSpan, _ at: Int, _ start: Int) -> Bool {
    // A line may begin with any bracket, and end with one.
    if at == start || at + 2 >= line.byteCount { return true }
    let (first, second) = (line.byte(at: at), line.byte(at: at + 1))
    guard Self.contains(worthy, first, second) else { return false }
    let third = line.byte(at: at + 2)
    if first == .openBracket { return SentJSON.mayBegin(second, third) }
    return first == .openBrace || second == .openBrace || mayContinue(first, third)
  }

  /// The kind of lead at an offset where one may stand.
  ///
  /// - Returns: of what kind the words are that begin there, or end there before JSON; empty where
  ///   a list or a packet may begin; nil for anything else.
  func lead(_ line: RawSpan, _ at: Int, _ start: Int) -> LogAnchors? {
    guard at != start, at + 2 < line.byteCount else { return leadOfJSON(line, at, start) }
    let (first, second) = (line.byte(at: at), line.byte(at: at + 1))
    // In logs of JSON these are frequent: nothing but a namespace is looked for before them.
    if first == .comma && second == .openBrace {
      return PacketStarts.isOfNamespace(line.byte(at: at - 1))
        && packets.before(line, at + 1, from: start) != nil ? [] : nil
    }
    let isOfJSON = first == .openBracket || first == .openBrace || second == .openBrace
    return isOfJSON ? leadOfJSON(line, at, start) : anchor(line, at)
  }

  /// The same where a list or an object may begin, and at both ends of a line.
  @inline(never)
  private func leadOfJSON(_ line: RawSpan, _ at: Int, _ start: Int) -> LogAnchors? {
    let isObject = isBeforeBrace(line, at)
    let isList = SentJSON.isList(line, at)
    // Words stand ahead of the bracket, also of a list of objects.
    if takesSentJSON, isObject || isList,
      SentJSON.isSaid(line, line.byte(at: at) == .openBracket ? at : at + 1, from: start)
        || isObject && SentJSON.isPayloadOfRecord(line, at + 1, from: start)
    {
      return .sent
    }
    if isBeginning(line, at), let anchor = anchor(line, at) { return anchor }
    if objects.areAll && (isList || line.byte(at: at) == .openBrace) { return [] }
    let isPacket =
      line.byte(at: at) == .openBracket
      ? isPacketOrList(line, at, start)
      : isObject && packets.before(line, at + 1, from: start) != nil
    return isPacket ? [] : nil
  }

  /// Whether a list may begin there, alone or as the data of a packet. The list of a trace begins
  /// alone on its line.
  @inline(__always)
  private func isPacketOrList(_ line: RawSpan, _ at: Int, _ start: Int) -> Bool {
    // Most brackets stand before a word.
    if at != start, at + 1 < line.byteCount {
      let next = line.byte(at: at + 1)
      if next < 128 && !behindBracket.contains(next) { return false }
      if next &- 0x41 < 0x3A && next != .backslash {
        return Measured.isSize(line, at) || packets.before(line, at, from: start) != nil
      }
    }
    // The number may be coloured: an escape sequence stands before it.
    if at + 1 < line.byteCount && line.byte(at: at + 1) == 0x1B
      || at + 2 < line.byteCount && line.byte(at: at + 2) == 0x1B
    {
      return true
    }
    return ListStart.isStart(line, at, isAcross: false)
      || packets.before(line, at, from: start) != nil
      || Self.isAlone(line, at) || Measured.isSize(line, at)
      || ANSI.notation(line, at, from: start) != nil
  }

  @inline(__always)
  private func isBeforeBrace(_ line: RawSpan, _ at: Int) -> Bool {
    at + 1 < line.byteCount && line.byte(at: at + 1) == .openBrace
  }

  @inline(never)
  private func anchor(_ line: RawSpan, _ at: Int) -> LogAnchors? {
    // The next eight bytes; no anchor has a zero for those that are not there.
    var word: UInt64 = 0
    if at + 8 <= line.byteCount {
      word = line.word(unchecked: at)
    } else {
      for place in (at..<line.byteCount).reversed() {
        word = word << 8 | UInt64(line.byte(at: place))
      }
    }
    let range = ranges[Int(line.byte(at: at))]
    for index in Int(range.lowerBound)..<Int(range.upperBound)
    where word & words[index].mask == words[index].octets {
      if line.dropping(at).starts(with: anchors[index].word) { return anchors[index].kind }
    }
    return nil
  }

  private static func isAlone(_ line: RawSpan, _ at: Int) -> Bool {
    let end = line.behind(at + 1) { $0 == .carriageReturn || $0 == .space }
    return end == line.byteCount || line.byte(at: end) == .lineFeed
  }

  /// The first lead in a part of a line; nil for none.
  ///
  /// - Parameter start: where the line begins.
  func first(_ text: RawSpan, _ start: Int, from first: Int, to end: Int) -> Int? {
    var block = first
    while block < end {
      var hits = triples.places(in: text, from: block)
      while hits != 0 {
        let at = block + hits.trailingZeroBitCount
        hits &= hits &- 1
        if at >= end { return nil }
        if mayLead(text, at, start), lead(text, at, start) != nil { return at }
      }
      block += 64
    }
    return nil
  }

  /// The lead that a line ends with: the colon of words that say that JSON below it was sent, or
  /// how many bytes, the command of a frame that goes on below it, or the comma of a packet without
  /// data.
  ///
  /// - Parameter start: where the line begins in the text.
  @inline(__always)
  func leadAtEnd(_ text: RawSpan, _ start: Int, _ end: Int) -> (at: Int, anchors: LogAnchors)? {
    guard end > start else { return nil }
    let last = text.byte(at: end - 1) == .carriageReturn ? end - 2 : end - 1
    guard last > start else { return nil }
    switch text.byte(at: last) {
    case .colon where takesSentJSON && SentJSON.isAbove(text.extracting(start..<last + 1)):
      return (last, .sent)
    case UInt8(ascii: "A")...UInt8(ascii: "Z")
    where FrameLines.said(text.extracting(start..<last + 1)) != nil:
      return (last, .program)
    case .colon where LoggedDump.announced(text.extracting(start..<last + 1)) != nil:
      return (last, [])
    case .comma where packets.before(text, comma: last, from: start) != nil: return (last, [])
    default: return nil
    }
  }

  /// The first place of a whole line that makes it worth reading, and the words on it.
  func survey(_ line: RawSpan) -> (first: Int?, anchors: LogAnchors) {
    let last = leadAtEnd(line, 0, line.byteCount)
    var first = last?.at
    var found = last?.anchors ?? []
    var block = 0
    while block < line.byteCount, found != all {
      var hits = triples.places(in: line, from: block)
      while hits != 0 {
        let at = block + hits.trailingZeroBitCount
        hits &= hits &- 1
        guard mayLead(line, at, 0), let anchors = lead(line, at, 0) else { continue }
        first = first ?? at
        found.formUnion(anchors)
      }
      block += 64
    }
    return (first, found)
  }
}
