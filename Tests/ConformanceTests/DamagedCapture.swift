// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// A capture that is to be damaged, and all that is known of what went over the wire.
struct DamagedCapture {
  let capture: PcapFile
  let keyLog: [UInt8]
  /// What is reported of the capture as it is.
  let intact: Decoded
  /// What an endpoint wrote down; nil where `intact` has to do.
  let record: Record?
  /// By connection, where it goes in the record.
  private let legs: [String: String]
  /// Messages of `intact` by all that is known of them.
  private var same: [String: [NDJSONMessage]] = [:]
  /// By connection and direction.
  private let all: [String: [NDJSONMessage]]

  init(_ file: String) throws {
    let bytes = try Captures.bytes(of: Captures.path(file))
    let (capture, secrets) = try PcapFile.read(bytes)
    let isMidstream = file.hasPrefix("tls13-midstream")
    let base = isMidstream ? "tls13-json" : Record.base(file)
    keyLog = try secrets + Captures.keyLog(of: isMidstream ? base : file)
    self.capture = capture
    let intact = try Decoded([capture.bytes], keyLog: keyLog)
    self.intact = intact
    // Between the client and the router of TLS 1.2 stands a proxy.
    let side = file.hasPrefix("tls12") ? "client" : "router"
    record = try Record(base, side: side)
    var legs: [String: String] = [:]
    for (name, messages) in Dictionary(grouping: intact.data, by: { $0.name(intact) }) {
      legs[name] = record?.leg(of: name, messages)
    }
    self.legs = legs
    all = Dictionary(grouping: intact.data) { $0.name(intact) + $0.direction }
    for reported in intact.data { same[reported.key(intact), default: []].append(reported) }
  }

  /// What is wrong with what was reported of a damaged copy, in words.
  func complaints(about decoded: Decoded) -> [String] {
    var complaints = record.map { Pairing.strangers(in: decoded, $0, legs: legs) } ?? []
    func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) {
      if !isTrue { complaints.append(what()) }
    }
    let payload = decoded.payload
    expect(payload.captured == payload.accounted, "bytes: \(payload)")
    for (number, connection) in decoded.connections {
      let (first, last) = (connection.states.first, connection.states.last ?? "")
      expect(
        connection.states.count == 2 && first == "opened"
          && ["closed", "unfinished"].contains(last), "connection \(number): \(connection.states)")
    }
    expect(
      decoded.messages.map(\.index) == Array(1..<decoded.messages.count + 1), "indices with holes")
    expect(decoded.summary["messages"]?.int == decoded.messages.count, "the summary's messages")

    // Never a subject or an exchange that is not that of the same message in the whole capture.
    var wholes: [Int: NDJSONMessage] = [:]
    var places: [String: Int] = [:]
    for reported in decoded.data {
      let place = reported.name(decoded) + reported.direction
      let candidates =
        reported.isPartial
        ? (all[place] ?? []).filter { reported.fits($0.octets) } : same[reported.key(decoded)] ?? []
      if record == nil {
        // Sent, and in this order.
        let next = candidates.first { $0.index > places[place] ?? 0 }
        expect(next != nil, "nobody sent \(reported.line)")
        if let next { places[place] = next.index }
      }
      expect(reported.answers ?? 0 < reported.index, "answers what comes later: \(reported.line)")
      expect(reported.carries ?? 0 < reported.index, "carries what comes later: \(reported.line)")
      if let subject = reported.subject {
        expect(candidates.contains { $0.subject == subject }, "\(subject): \(reported.line)")
      }
      guard candidates.count == 1, let whole = candidates.first else { continue }
      wholes[reported.index] = whole
      // In a capture with holes of its own, an answer may have come before what it answers.
      if let request = reported.answers.flatMap({ wholes[$0] }), let answers = whole.answers {
        expect(
          answers == request.index, "answers \(request.line), not #\(answers): \(reported.line)")
      }
      if let publish = reported.carries.flatMap({ wholes[$0] }), let carries = whole.carries {
        expect(carries == publish.index, "carries another: \(reported.line)")
      }
    }
    return complaints
  }
}

extension NDJSONMessage {
  fileprivate func name(_ decoded: Decoded) -> String {
    decoded.connections[connection]?.name ?? ""
  }

  /// Bodies carry ids, so that hardly two messages of one direction are the same.
  fileprivate func key(_ decoded: Decoded) -> String {
    name(decoded) + direction + String(decoding: octets, as: UTF8.self)
  }
}
