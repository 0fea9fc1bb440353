// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What lines that no format knows say of the connection or the session: `session=4711`.
enum LogConnectionKeys {
  static let names = WordList(
    [
      "session", "session_id", "sessionid", "sid", "conn", "conn_id", "connid", "connection",
      "connection_id", "connectionid", "socket", "socket_id", "socketid", "ws_id", "wsid",
      "websocket_id", "websocketid", "client", "client_id", "clientid", "peer", "peer_id", "sess",
      "ws", "cid", "conn_no", "tcp_tcp_stream",
    ] + stations)
  /// Names of charging stations: one may connect again, so that any other key says more.
  private static let stations: [StaticString] = [
    "chargepointid", "charge_point_id", "chargeboxid", "charge_box_id", "chargepoint", "stationid",
    "station_id",
  ]
  /// Names a connection where `ID` stands behind it; databases have shards, too.
  private static let shard: StaticString = "shard"

  /// Bytes of a value.
  static let longest = 48

  /// The key and its value, or the addresses; nil where there is none.
  static func connection(
    _ prefix: RawSpan, before message: RawSpan, _ writers: inout LogWriters
  ) -> String? {
    if let name = DebugpyChannel.connection(prefix, before: message, &writers.debugpyServers) {
      return name
    }
    guard let found = find(prefix) else { return addresses(prefix) }
    // An address names the same connection, whatever its key is called.
    if address(prefix, found.value.lowerBound) == found.value.upperBound {
      return text(prefix.extracting(found.value))
    }
    return writers.text(found.name, prefix.extracting(found.value))
  }

  /// A UUID (RFC 9562 §4) as a word of its own, where a program puts nothing else in that form.
  static func uuid(_ prefix: RawSpan, _ writers: inout LogWriters) -> String? {
    var at = 0
    while let hyphen = prefix.firstIndex(of: .hyphen, from: at) {
      at = hyphen + 1
      let (start, end) = (hyphen - 8, hyphen + 28)
      guard start >= 0, end < prefix.byteCount, !prefix.byte(at: end).isOfName,
        start == 0 || !prefix.byte(at: start - 1).isOfName
      else { continue }
      let word = prefix.extracting(start..<end)
      let isID = (0..<36).allSatisfy {
        let byte = word.byte(at: $0)
        return [8, 13, 18, 23].contains($0) ? byte == .hyphen : byte.isHexDigit
      }
      if isID { return writers.text("connection", word) }
    }
    return nil
  }

  private static func text(_ bytes: RawSpan) -> String {
    String(decoding: bytes.copied(), as: Unicode.UTF8.self)
  }

  static func name(_ text: RawSpan, _ word: Range<Int>) -> StaticString? {
    names.place(in: text, of: word).map { names.words[$0] }
  }

  private static func isStation(_ name: StaticString) -> Bool {
    stations.contains { $0.utf8Start == name.utf8Start }
  }

  private static func find(_ prefix: RawSpan) -> (name: StaticString, value: Range<Int>)? {
    var at = 0
    var station: (name: StaticString, value: Range<Int>)?
    while at < prefix.byteCount {
      guard isOfKey(prefix.byte(at: at)) else {
        at += 1
        continue
      }
      let start = at
      while at < prefix.byteCount, isOfKey(prefix.byte(at: at)) { at += 1 }
      if introducesCookies(prefix, start..<at) { break }
      let behind = behindID(prefix, at)
      let isShard = behind > at && prefix.extracting(start..<at).equals(lowered: shard)
      if let name = isShard ? shard : name(prefix, start..<at), !isProcess(prefix, start..<at),
        let value = value(prefix, behind) ?? id(prefix, behind, isCalledID: behind > at),
        !SourceLocation.isAll(of: prefix.extracting(value)),
        !SourceLocation.isNamed(prefix, start..<at, value)
      {
        if !isStation(name) { return (name, value) }
        station = station ?? (name, value)
      }
    }
    return station
  }

  /// Whether it is the name of a logger, behind which the id of the process stands:
  /// `CLIENT 4711: ` of Node's `util.debuglog`, `ws 4711 app.js:20 - ` of log4js.
  private static func isProcess(_ prefix: RawSpan, _ name: Range<Int>) -> Bool {
    let digits = name.upperBound + 1
    guard digits < prefix.byteCount, prefix.byte(at: digits - 1) == .space,
      prefix.byte(at: digits).isDigit
    else { return false }
    let end = prefix.behindDigits(digits)
    // Connections are counted from 1; the system counts many processes before that of a program.
    if end - digits < 3 { return false }
    if name.lowerBound == 0 && name.allSatisfy({ prefix.byte(at: $0).isUppercase })
      && prefix.dropping(end).starts(with: ": ")
    {
      return true
    }
    let file = prefix.extracting(end..<prefix.behind(min(end + 1, prefix.byteCount)) { $0 > 0x20 })
    return prefix.extracting(name).equals(lowered: "ws") && file.contains(".js:")
  }

  /// Where a name ends that says that it is an id: `Shard ID 1`, `session id: 0f06d4a0`.
  private static func behindID(_ prefix: RawSpan, _ end: Int) -> Int {
    let rest = prefix.dropping(end)
    guard rest.starts(with: " ID") || rest.starts(with: " id"), rest.byteCount > 3,
      !isOfKey(rest.byte(at: 3))
    else { return end }
    return end + 3
  }

  /// Behind an equals sign or a colon. A value without a digit is a word that follows by chance.
  private static func value(_ prefix: RawSpan, _ start: Int) -> Range<Int>? {
    var at = prefix.behind(start) { $0.isQuoting }
    while at + 1 < prefix.byteCount, prefix.byte(at: at) == .space,
      prefix.byte(at: at + 1) == .space || prefix.byte(at: at + 1) == UInt8(ascii: "=")
    { at += 1 }
    guard at < prefix.byteCount,
      prefix.byte(at: at) == UInt8(ascii: "=") || prefix.byte(at: at) == .colon
    else {
      return nil
    }
    at += 1
    at = prefix.behind(at) { $0 == .space || $0.isQuoting }
    let end = prefix.behind(at, to: at + longest) { isValue($0) }
    return (at..<end).contains { prefix.byte(at: $0).isDigit } ? at..<end : nil
  }

  /// Right behind the name, or behind a blank and the like: `client1`, `session 4711`, `conn#3f2a`.
  ///
  /// - Parameter isCalledID: `id` stands between: then it may be two numbers, `123456.789`, as for
  ///   Pusher.
  private static func id(_ prefix: RawSpan, _ start: Int, isCalledID: Bool) -> Range<Int>? {
    var at = start
    if at < prefix.byteCount, [.space, UInt8(ascii: "#"), .hyphen].contains(prefix.byte(at: at)) {
      at += 1
    }
    if let end = address(prefix, at) { return at..<end }
    var end = at
    var hasDigit = false
    while end < prefix.byteCount, end - at < longest {
      let byte = prefix.byte(at: end)
      let isDigit = byte.isDigit
      // Letters count as part of an id only behind a divider.
      guard isDigit || at > start && (byte.isHexDigit || byte == .hyphen) else { break }
      hasDigit = hasDigit || isDigit
      end += 1
    }
    guard hasDigit else { return nil }
    if isCalledID, end + 1 < prefix.byteCount, prefix.byte(at: end) == .period,
      prefix.byte(at: end + 1).isDigit
    {
      end = prefix.behindDigits(end + 1)
    }
    if end == prefix.byteCount { return at..<end }
    // Not the beginning of a word, of a longer number, or of a time such as 12:30.
    let next = prefix.byte(at: end)
    let isLast =
      next != .colon || end + 1 == prefix.byteCount || !prefix.byte(at: end + 1).isDigit
    return isOfKey(next) || next == .period || !isLast ? nil : at..<end
  }

  /// The end of `10.0.0.7:51234`, `[::1]:51234`, `0:0:0:0:0:0:0:1:51234`; nil where something else
  /// begins.
  static func address(_ text: RawSpan, _ start: Int) -> Int? {
    addressV4(text, start) ?? addressV6(text, start)
  }

  /// An address of IPv6 (RFC 4291 §2.2) and a port.
  private static func addressV6(_ text: RawSpan, _ start: Int) -> Int? {
    guard start < text.byteCount else { return nil }
    let isBracketed = text.byte(at: start) == .openBracket
    // Not the rest of a longer row of numbers.
    if !isBracketed, start > 0,
      text.byte(at: start - 1).isHexDigit || text.byte(at: start - 1) == .colon
    {
      return nil
    }
    var end = isBracketed ? start + 1 : start
    var (colons, hasDigit, isShort) = (0, false, false)
    while end < text.byteCount, end - start < longest {
      let byte = text.byte(at: end)
      guard byte.isHexDigit || byte == .colon || byte == .period else {
        break
      }
      hasDigit = hasDigit || byte.isDigit
      if byte == .colon {
        colons += 1
        isShort = isShort || end > start && text.byte(at: end - 1) == .colon
      }
      end += 1
    }
    if !isBracketed {
      // A colon at the end belongs to the words that follow.
      if end > start, text.byte(at: end - 1) == .colon { (end, colons) = (end - 1, colons - 1) }
      guard hasDigit && (colons == 8 || isShort && colons > 2) else { return nil }
      // A port is decimal. All in pairs, they are octets: options of TCP have nine or ten.
      let port = text.beforeDigits(end, from: start)
      guard port < end, text.byte(at: port - 1) == .colon else { return nil }
      return isShort || !areOctets(text.extracting(start..<end)) ? end : nil
    }
    guard colons > 1, end + 2 < text.byteCount, text.byte(at: end) == .closeBracket,
      text.byte(at: end + 1) == .colon, text.byte(at: end + 2).isDigit
    else { return nil }
    end += 2
    end = text.behindDigits(end)
    return end
  }

  /// Whether numbers between colons have two digits each.
  private static func areOctets(_ text: RawSpan) -> Bool {
    (0..<text.byteCount).allSatisfy { (text.byte(at: $0) == .colon) == ($0 % 3 == 2) }
      && text.byteCount % 3 == 2
  }

  private static func addressV4(_ text: RawSpan, _ start: Int) -> Int? {
    if start > 0, text.byte(at: start - 1).isDigit || text.byte(at: start - 1) == .period {
      return nil
    }
    var at = start
    for part in 0..<5 {
      let digits = at
      while at < text.byteCount, text.byte(at: at).isDigit, at - digits < 5 { at += 1 }
      if at == digits || part < 4 && at - digits > 3 { return nil }
      if part == 4 { break }
      guard at < text.byteCount, text.byte(at: at) == (part < 3 ? 0x2E : 0x3A) else { return nil }
      at += 1
    }
    return at
  }

  /// The addresses of both ends, or of the one that is named. They are sorted, so that both
  /// directions give the same name.
  private static func addresses(_ prefix: RawSpan) -> String? {
    var found: [String] = []
    var at = 0
    while at < prefix.byteCount, found.count < 2 {
      guard prefix.byte(at: at).isDigit || prefix.byte(at: at) == .openBracket,
        let end = address(prefix, at)
      else {
        at += 1
        continue
      }
      found.append(text(prefix.extracting(at..<end)))
      at = end
    }
    return found.isEmpty ? nil : found.sorted().joined(separator: ", ")
  }

  /// What names of keys are made of.
  static func isOfKey(_ byte: UInt8) -> Bool { byte.isAlpha || byte == UInt8(ascii: "_") }

  /// Numbers, names, and addresses with their port.
  static func isValue(_ byte: UInt8) -> Bool { byte.isOfName || byte == .colon }
}
