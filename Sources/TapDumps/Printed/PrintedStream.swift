// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What one side of a TCP connection sent, as a dump prints it: put in order, and searched for
/// heads of HTTP and messages of JSON.
struct PrintedStream {
  /// What stands in the text.
  enum Part {
    /// A head of HTTP, without the empty line behind it.
    case head([UInt8])
    case message(text: [UInt8], PrintedList.Header, isAtBorder: Bool)
  }

  /// Segments that wait for one before them.
  private static let mostEarly = 32
  /// Bytes of the longest header before a message.
  private static let longestHeader = 10

  /// What is not used up yet.
  private(set) var text: [UInt8] = []
  /// Where each segment begins in it, and which packet that is.
  private var segments: [(start: Int, origin: Origin)] = []
  /// The sequence number of the next byte, as the dump counts; nil before the first.
  private var next: UInt32?
  private var early: [(sequence: UInt32, bytes: [UInt8], length: Int, origin: Origin)] = []
  /// Where the search goes on.
  private var at = 0
  /// Where a frame has to begin; nil where that is not known.
  private var border: Int? = 0
  private var list: PrintedList?
  /// Characters that were looked at to find where lists end. Lists inside each other are each
  /// looked at, which has to end.
  private var searched = 0
  private var mostSearched: Int { octets.sent * 64 + 1 << 20 }
  /// Messages come in pieces here, so that a header must say exactly how long they are.
  private var isFragmented = false
  /// Bytes that were sent, and those that could be read.
  private(set) var octets = (sent: 0, read: 0)
  /// Something is missing since it was asked for the last time.
  private var hasGap = false

  /// Bytes that are kept.
  var held: Int { text.count + early.reduce(0) { $0 + $1.bytes.count } }

  /// Whether something was missing since the last call.
  mutating func takeGap() -> Bool {
    defer { hasGap = false }
    return hasGap
  }

  /// - Parameters:
  ///   - bytes: the payload of a packet; nil where it cannot be found.
  ///   - length: bytes that it has.
  mutating func receive(
    _ bytes: ArraySlice<UInt8>?, _ sequence: UInt32?, _ length: Int, _ origin: Origin
  ) {
    guard let sequence, let next else {
      if let sequence { self.next = sequence &+ UInt32(truncatingIfNeeded: length) }
      return append(Array(bytes ?? []), length, origin)
    }
    let distance = Int32(bitPattern: sequence &- next)
    // Only the first number of a connection is the one that was sent; the others count from it.
    if abs(Int(distance)) > 1 << 28 {
      self.next = sequence
    } else if distance < 0 {
      // What was sent once more; a part of it may be new, and begins anywhere.
      let new = Int(distance) + length
      if new > 0 {
        let isWhole = bytes?.count == length
        append(isWhole ? Array(bytes!.suffix(new)) : [], new, origin)
        self.next = next &+ UInt32(truncatingIfNeeded: new)
        takeEarly()
      }
      return
    } else if distance > 0 {
      return early.append((sequence, Array(bytes ?? []), length, origin))
    }
    append(Array(bytes ?? []), length, origin)
    self.next = sequence &+ UInt32(truncatingIfNeeded: length)
    takeEarly()
  }

  /// Goes on behind what does not come any more; answers whether anything waits there.
  ///
  /// - Parameter isEnd: nothing comes any more.
  mutating func skip(isEnd: Bool) -> Bool {
    if isEnd, let found = list {
      // What looked like the beginning of a long message was none.
      passOver(found)
      return true
    }
    guard let next, isEnd ? !early.isEmpty : early.count > Self.mostEarly else { return false }
    lose()
    self.next = early.map(\.sequence).min {
      Int32(bitPattern: $0 &- next) < Int32(bitPattern: $1 &- next)
    }
    takeEarly()
    return true
  }

  private mutating func takeEarly() {
    while let next, let index = early.firstIndex(where: { $0.sequence == next }) {
      let segment = early.remove(at: index)
      append(segment.bytes, segment.length, segment.origin)
      self.next = next &+ UInt32(truncatingIfNeeded: segment.length)
    }
    if let next { early.removeAll { Int32(bitPattern: $0.sequence &- next) < 0 } }
  }

  private mutating func append(_ bytes: [UInt8], _ length: Int, _ origin: Origin) {
    octets.sent += length
    if isCut {
      isCut = false
      lose()
    }
    // What cannot be found, and what was cut off.
    if bytes.isEmpty { return length > 0 ? lose() : () }
    segments.append((text.count, origin))
    text += bytes
    let breaks = bytes.count { $0 == .lineFeed }
    if bytes.count + breaks < length { isCut = true }
  }

  /// The last packet was cut: what follows it does not go on where it ends.
  private var isCut = false

  /// Drops what has not ended: what follows begins anywhere.
  mutating func lose() {
    (text, segments, at, border, list, hasGap) = ([], [], 0, nil, nil, true)
  }

  /// The next part, as far as there is one; of it, the packet that its last byte came in.
  ///
  /// - Parameters:
  ///   - forms: the headers that may stand before messages.
  ///   - suffix: bytes behind each message that belong to it.
  ///   - most: bytes of a head.
  ///   - isMessage: whether the text of a frame is one.
  mutating func take(
    _ forms: [PrintedList.Header], suffix: Int, most: Int, isMessage: ([UInt8]) -> Bool
  ) -> (part: Part, origin: Origin)? {
    while at < text.count {
      if let (header, range) = frame(forms), isMessage(Array(text[range])) {
        let message = Part.message(text: Array(text[range]), header, isAtBorder: true)
        return (message, consume(at..<range.upperBound))
      }
      if isBorder(at), let length = headLength(most: most) {
        guard length > 0 else { return nil }
        let head = Array(text[at..<at + length])
        return (.head(head), consume(at..<at + length))
      }
      if list == nil {
        guard let start = candidate() else { break }
        list = PrintedList(from: start)
      }
      guard var found = list else { break }
      let longest = searched > mostSearched ? 0 : found.longest(in: text, forms) ?? 0
      searched += found.advance(text, most: longest)
      guard let end = found.end, end + suffix <= text.count else {
        if text.count - found.start > longest {
          passOver(found)
          continue
        }
        list = found
        return endCut()
      }
      guard let (header, isAtBorder) = header(found, forms, suffix) else {
        passOver(found)
        continue
      }
      let message = Part.message(
        text: Array(text[found.start..<end]), header, isAtBorder: isAtBorder)
      return (message, consume(found.start - header.octets..<end + suffix))
    }
    return endCut()
  }

  /// All was looked at.
  private mutating func endCut() -> (part: Part, origin: Origin)? {
    if isCut {
      isCut = false
      lose()
    } else {
      compact()
    }
    return nil
  }

  /// The text of a frame that begins and ends as a segment does; lists are looked for anywhere.
  private func frame(
    _ forms: [PrintedList.Header]
  ) -> (header: PrintedList.Header, text: Range<Int>)? {
    guard list == nil else { return nil }
    let index = segmentIndex(at)
    guard index < segments.count, segments[index].start == at else { return nil }
    let end = index + 1 < segments.count ? segments[index + 1].start : text.count
    for form in forms where form != .raw && at + form.octets < end {
      let start = at + form.octets
      if text[start] != .openBracket && form.fits(text[at..<start], end - start) {
        return (form, start..<end)
      }
    }
    return nil
  }

  /// Where a list begins that may be a message: with a number, or with white space before one.
  private mutating func candidate() -> Int? {
    while at < text.count {
      guard text[at] == .openBracket else {
        at += 1
        continue
      }
      guard at + 1 < text.count else { return nil }
      let second = text[at + 1]
      if second.isDigit || second <= 0x20 { return at }
      at += 1
    }
    return nil
  }

  private mutating func passOver(_ found: PrintedList) {
    // A frame that is shorter than the list it begins: the rest is in another.
    if let border, found.start - border == 2 || found.start - border == 4,
      text[border] == PrintedOctet.dot
    {
      isFragmented = true
    }
    at = found.start + 1
    list = nil
  }

  private func isBorder(_ place: Int) -> Bool {
    let index = segmentIndex(place)
    return place == border || index < segments.count && segments[index].start == place
  }

  /// The first segment that begins at a place or behind it.
  private func segmentIndex(_ place: Int) -> Int {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The header before a list; where a frame begins is known best behind another.
  private func header(
    _ found: PrintedList, _ forms: [PrintedList.Header], _ suffix: Int
  ) -> (PrintedList.Header, isAtBorder: Bool)? {
    let near = segments[segmentIndex(found.start - Self.longestHeader)..<segmentIndex(found.start)]
    // A short control frame and the next header look like one of RawSocket.
    for form in forms {
      for place in [border].compactMap({ $0 }) + near.map(\.start) {
        let header = found.header(in: text, suffix: suffix, border: place, [form])
        if let header, isCertain(header, found) { return (header, true) }
      }
    }
    let header = found.header(in: text, suffix: suffix, border: nil, forms)
    return header.flatMap { isCertain($0, found) ? ($0, false) : nil }
  }

  /// Whether the header says the length, where messages come in pieces.
  private func isCertain(_ header: PrintedList.Header, _ found: PrintedList) -> Bool {
    !isFragmented
      || !text[(found.start - header.octets + 1)..<found.start].contains(PrintedOctet.dot)
  }

  /// The length of a head of HTTP that begins here, with the empty line; 0 while it has not ended,
  /// and nil for anything else.
  private func headLength(most: Int) -> Int? {
    let rest = text[at...]
    guard rest.starts(with: "GET ".utf8) || rest.starts(with: "HTTP/1.".utf8) else { return nil }
    for end in ["\n\n", "\r\n\r\n"] {
      if let found = rest.prefix(most).firstRange(of: Array(end.utf8)) {
        return found.upperBound - at
      }
    }
    return rest.count >= most ? nil : 0
  }

  /// A part is read, header included; answers the packet of its last byte. What stands before it
  /// is missing.
  private mutating func consume(_ part: Range<Int>) -> Origin {
    if part.lowerBound != border { hasGap = true }
    octets.read += part.count
    let origin = segments.last { $0.start < part.upperBound }?.origin ?? Origin()
    (at, border, list) = (part.upperBound, part.upperBound, nil)
    return origin
  }

  /// Drops what was looked at, but for what may be the header of a message to come.
  private mutating func compact() {
    let most = (list?.start ?? at) - Self.longestHeader
    guard most > 4096 || at == text.count && at > Self.longestHeader else { return }
    text.removeFirst(most)
    at -= most
    border = border.flatMap { $0 >= most ? $0 - most : nil }
    if list != nil { list!.shift(by: most) }
    let kept = segments.lastIndex { $0.start <= most } ?? 0
    segments.removeFirst(kept)
    for index in segments.indices { segments[index].start -= most }
  }
}
