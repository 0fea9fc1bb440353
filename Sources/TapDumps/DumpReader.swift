// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Puts the lines of a dump together: where a packet or a stream begins and ends, what is missing
/// between lines, and when that was.
struct DumpReader {
  private let place: Place
  private var decoded: Decoded
  private var lineNumber = 0
  /// The first line of bytes: it says who wrote the dump.
  private var first: DumpLine?
  private var base = 16
  /// The offset that the next line of either side should have, and whether it has any bytes.
  private var next = (first: 0, second: 0)
  private var hasBegun = (first: false, second: false)
  /// The offset of the first line of a block.
  private var beginning = 0
  private var isFollowed = false
  /// The bytes that follow were made by the program that wrote the dump.
  private var isDerived = false
  /// Of these, a line was seen: they end at the next offset 0.
  private var hasDerived = false
  private var isRepeated = false
  private var lastOctets: [UInt8?] = []
  private var head: (time: Instant, precision: UInt8)?
  private var isPacketHead = false
  private var stated: Int?
  /// A line since the last one of bytes that could not be read.
  private var oddLine = 0
  private var clock = DumpClock()
  private let limit: Int

  init(_ place: Place, _ limits: Limits) {
    self.place = place
    decoded = Decoded(place, limits)
    limit = limits.packetBytes
  }

  /// - Parameter line: nil when it is too long to be one of a dump.
  mutating func take(_ line: [UInt8]?, _ sink: any EvidenceSink) {
    lineNumber += 1
    guard let line else { return oddLine = lineNumber }
    if let dump = DumpLine(line), isSameStyle(dump) { return take(dump, sink) }
    switch DumpHead(line) {
    case .packet(let time, let precision, let certainty):
      endBlock(sink)
      (isDerived, isPacketHead) = (false, true)
      head = (clock.read(time, certainty, place, sink), precision)
    case .frame(let bytes):
      endBlock(sink)
      (isDerived, stated) = (false, bytes)
    case .derived:
      endBlock(sink)
      (isDerived, hasDerived) = (true, false)
    case .repeated: isRepeated = true
    case .follow:
      endBlock(sink)
      isFollowed = true
    case .blank: break
    case nil:
      if HexDumpInput.isOrnament(line) { endBlock(sink) }
      if isDamaged(line) { oddLine = lineNumber }
    }
  }

  /// Whether a line that is none of a dump begins with the offset that the next one should have;
  /// others are remarks.
  private func isDamaged(_ line: [UInt8]) -> Bool {
    guard hasBegun.first || hasBegun.second else { return false }
    var text = line[...].drop { $0.isWSP }
    if text.starts(with: [0x30, 0x78]) { text = text.dropFirst(2) }
    let digits = text.prefix { $0.isHexDigit }
    guard (4...8).contains(digits.count) else { return false }
    let value = digits.reduce(0) { $0 * 16 + Int(Digits.hexValue($1)!) }
    if value == 0 { return false }
    return value == next.first || value == next.second
  }

  mutating func finish(_ sink: any EvidenceSink) {
    endBlock(sink)
    let summary = decoded.summary
    sink.recognised(
      InputVerdict(summary.isEmpty ? name : "\(name), \(summary)"), place.origin(0))
  }

  private var name: String {
    guard let first else { return "hex dump" }
    switch first.style {
    case .tcpdump:
      let letter = first.hasText ? "X" : "x"
      return "tcpdump -\(decoded.isEthernet ? letter + letter : letter) dump"
    case .xxd: return "xxd dump"
    case .hexdump: return "hexdump -C dump"
    case .od: return "od dump"
    case .wireshark: return isFollowed ? "followed stream, hex dump" : "hex dump"
    }
  }

  /// Whether the line is of the dump and not of the text around it.
  private func isSameStyle(_ line: DumpLine) -> Bool {
    guard let first else { return !line.octets.isEmpty }
    if line.octets.isEmpty { return first.style == .hexdump || first.style == .od }
    let isPlain = first.style != .tcpdump && first.style != .xxd
    return isPlain ? line.style != .tcpdump && line.style != .xxd : line.style == first.style
  }

  private mutating func take(_ line: DumpLine, _ sink: any EvidenceSink) {
    if isDerived {
      if !hasDerived || line.hexadecimalOffset > 0 { return hasDerived = true }
      isDerived = false
    }
    if first == nil {
      first = line
      decoded.isPackets = line.style == .tcpdump
    }
    let isSecond = line.style != .tcpdump && abs(line.indent - first!.indent) > 3
    var offset = line.value(base) ?? line.hexadecimalOffset
    let expected = isSecond ? next.second : next.first
    let begun = isSecond ? hasBegun.second : hasBegun.first
    if offset != expected && base == 16 && begun {
      for other in otherBases(line, expected) where line.value(other) == expected {
        (base, offset) = (other, expected)
      }
    }
    if line.octets.isEmpty {
      // The last line names the length.
      if isRepeated { fill(to: offset, isSecond, sink) }
      if offset > beginning { stated = offset - beginning }
      return
    }
    if offset == 0 && begun { endBlock(sink) }
    if !hasBegun.first && !hasBegun.second {
      beginning = offset
      begin()
    }
    place(line, at: offset, isSecond, sink)
    oddLine = 0
  }

  /// In what else than hexadecimal the offset may be: that of od is octal as a rule. Of xxd, it is
  /// decimal (`-d`) where no line can have it in hexadecimal, as lines may be missing, or where no
  /// earlier one shows the base, as all were below ten.
  private func otherBases(_ line: DumpLine, _ expected: Int) -> [Int] {
    switch line.style {
    case .od: return [8, 10]
    case .xxd:
      let width = max(1, lastOctets.count)
      let isOpen = expected - width < 10
      return isOpen || line.hexadecimalOffset % width != 0 ? [10] : []
    default: return []
    }
  }

  private mutating func begin() {
    if let head { (decoded.time, decoded.precision) = head }
    decoded.isPackets = decoded.isPackets || isPacketHead
    decoded.stated = stated
    (head, stated, isPacketHead) = (nil, nil, false)
  }

  /// Adds the bytes of a line where its offset says.
  private mutating func place(
    _ line: DumpLine, at offset: Int, _ isSecond: Bool, _ sink: any EvidenceSink
  ) {
    if isRepeated { fill(to: offset, isSecond, sink) }
    let expected = isSecond ? next.second : next.first
    let isFirst = isSecond ? !hasBegun.second : !hasBegun.first
    var skipped = 0
    if offset > expected && isFirst {
      report(
        .dumpOffset, "the dump begins at byte \(offset); nothing is known of those before it",
        lost: offset, sink)
    } else if offset > expected {
      let odd = oddLine > 0 ? "; line \(oddLine) cannot be read" : ""
      report(
        .dumpOffset,
        "the offset jumps from \(expected) to \(offset): "
          + "\(counted(UInt64(offset - expected), "byte")) missing\(odd)",
        lost: offset - expected, sink)
      decoded.gap(offset - expected, isSecond: isSecond, sink)
    } else if offset < expected {
      skipped = min(expected - offset, line.octets.count)
      report(
        .dumpOffset,
        "the offset goes back from \(expected) to \(offset):"
          + " what came first is kept", lost: 0, sink)
    }
    if line.badColumn > 0 {
      let amount = line.octets.count { $0 == nil }
      report(
        line.isHalf ? .dumpOddDigits : .dumpBadDigit,
        "column \(line.badColumn) is \(line.isHalf ? "half a" : "no") byte in hexadecimal digits;"
          + " \(counted(amount, "byte")) cannot be known", lost: amount, sink)
    }
    add(line.octets.dropFirst(skipped), isSecond, sink)
    let end = max(expected, offset + line.octets.count)
    if isSecond {
      (next.second, hasBegun.second) = (end, true)
    } else {
      (next.first, hasBegun.first) = (end, true)
    }
    lastOctets = line.octets
  }

  private mutating func add(
    _ octets: ArraySlice<UInt8?>, _ isSecond: Bool, _ sink: any EvidenceSink
  ) {
    for octet in octets {
      if let octet {
        decoded.append(octet, isSecond: isSecond, sink)
      } else {
        decoded.gap(1, isSecond: isSecond, sink)
      }
    }
  }

  /// `*` stands for lines like the last one.
  private mutating func fill(to offset: Int, _ isSecond: Bool, _ sink: any EvidenceSink) {
    isRepeated = false
    let missing = offset - (isSecond ? next.second : next.first)
    guard !isSecond, missing > 0, missing <= limit, !lastOctets.isEmpty else { return }
    for index in 0..<missing { add([lastOctets[index % lastOctets.count]], isSecond, sink) }
    next.first = offset
  }

  private mutating func endBlock(_ sink: any EvidenceSink) {
    if hasBegun.first || hasBegun.second {
      if let stated { decoded.stated = stated }
      if oddLine > 0 {
        report(
          .dumpNotUnderstood, "line \(oddLine) is none of a dump; it is passed over",
          lost: 0, isNamed: true, sink)
      }
      decoded.end(sink)
      stated = nil
    }
    (next, hasBegun, isRepeated, oddLine) = ((0, 0), (false, false), false, 0)
  }

  private func report(
    _ code: Finding.Code, _ text: String, lost: Int, isNamed: Bool = false,
    _ sink: any EvidenceSink
  ) {
    var finding = Finding(
      code, .warning, place.origin(0), isNamed ? text : "line \(lineNumber): " + text)
    finding.lostBytes = UInt64(lost)
    sink.finding(finding)
  }
}
