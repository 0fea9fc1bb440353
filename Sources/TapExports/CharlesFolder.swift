// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
public import TapTraffic

/// What Charles exports of a WebSocket: a folder with one file for each message, whose name says
/// who sent it and in what order: `chat.example_000001_client.bin`. There are no times.
public struct CharlesFolder {
  /// One message by the name of its file.
  public struct File {
    public let name: String
    let host: String
    let number: UInt64
    let direction: Direction

    /// Nil for other files.
    init?(name: String) {
      let parts = name.split(separator: "_", omittingEmptySubsequences: false)
      guard parts.count >= 3, let side = parts.last, let number = UInt64(parts[parts.count - 2])
      else { return nil }
      switch side {
      case "client.bin": direction = .toServer
      case "server.bin": direction = .toClient
      default: return nil
      }
      (self.name, self.number) = (name, number)
      host = parts.dropLast(2).joined(separator: "_")
    }
  }

  private let place: Place
  private let limits: Limits
  private var flows: [String: UInt32] = [:]
  private var record: UInt64 = 0

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    (place, self.limits) = (Place(input: input), limits)
  }

  /// The files among these that are messages, in their order; all others mean nothing.
  public static func messages(among names: [String]) -> [File] {
    names.compactMap { File(name: $0) }.sorted {
      ($0.number, $0.host, $0.direction.rawValue) < ($1.number, $1.host, $1.direction.rawValue)
    }
  }

  /// One whole message.
  ///
  /// - Parameter isWhole: whether `bytes` is all of the file; false if the file is larger than any
  ///   message that is read.
  public mutating func receive(
    _ bytes: RawSpan, _ file: File, isWhole: Bool, _ sink: any EvidenceSink
  ) {
    record += 1
    var origin = place.origin(0, record: record)
    origin.direction = file.direction
    if flows[file.host] == nil {
      flows[file.host] = UInt32(flows.count + 1)
      origin.flow = flows[file.host]!
      // What was agreed upon is not in the folder.
      let opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: false)
      sink.opened(opening, Delivery(origin))
    }
    origin.flow = flows[file.host]!
    guard isWhole else {
      var finding = Finding(
        .exportMessageTooLarge, .warning, origin,
        "the message in \(file.name) is larger than \(limits.messageBytes) bytes; it is not shown")
      finding.lostMessages = 1
      sink.finding(finding)
      return sink.gap(nil, Delivery(origin))
    }
    // Nothing says what kind of frame carried it.
    let isText = UTF8.firstInvalid(in: bytes) == nil
    sink.message(bytes, Delivery(origin, isText ? .text : .binary))
  }
}
