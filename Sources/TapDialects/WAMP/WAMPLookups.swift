// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Learns URIs from the calls that look up the subscription of a topic or the registration of a
/// procedure: the CALL has the URI, its RESULT the id (wamp-proto, "Subscription Meta API" and
/// "Registration Meta API"). `wamp.registration.match` is not used: it also matches patterns, so it
/// proves no URI.
struct WAMPLookups {
  private struct Lookup {
    var request: UInt64
    var isTopic: Bool
    /// As it was sent, with its escapes.
    var uri: [UInt8]
    var isPattern: Bool
  }

  /// Lookups without an answer yet; above `most`, the oldest is forgotten.
  private var open = ContiguousArray<Lookup>()
  private static let most = 64
  private var session: UInt16 = 0
  private static let topics: StaticString = "wamp.subscription.lookup"
  private static let procedures: StaticString = "wamp.registration.lookup"

  /// Whether an answer is awaited, or the message may be a lookup.
  @inline(__always)
  func concerns(_ message: Message) -> Bool {
    message.subject.count == Self.topics.utf8CodeUnitCount || !open.isEmpty
  }

  /// Looks at a message that was reported.
  @inline(never)
  mutating func look(
    _ message: Message, _ bytes: RawSpan, _ listener: any Listener
  ) {
    if message.session != session { (open, session) = ([], message.session) }
    guard message.first.space == WAMPSpace.call else { return }
    if message.first.role == .opens { return ask(message, bytes) }
    let request = message.first.key
    guard message.first.role == .answers,
      let place = open.firstIndex(where: { $0.request == request })
    else { return }
    let lookup = open.remove(at: place)
    if message.traits.contains(.isFailure) || message.payload.isEmpty { return }
    var at = message.payload.start + 1
    guard
      let id = JSON.next(bytes.extracting(0..<message.payload.end), &at, inObject: false)?.value,
      id.kind == .natural, let key = JSON.natural(bytes, id.range)
    else { return }
    let link = Link(
      .names, lookup.isTopic ? "subscription" : "registration", key,
      space: lookup.isTopic ? WAMPSpace.subscription : WAMPSpace.registration,
      scope: .router)
    listener.lesson(
      LearnedName(link, ByteRange(0, lookup.uri.count), isPattern: lookup.isPattern),
      lookup.uri.span.bytes, in: message)
  }

  /// `[URI, options?]`
  private mutating func ask(_ message: Message, _ bytes: RawSpan) {
    let procedure = bytes[message.subject]
    let isTopic = procedure.equals(Self.topics)
    guard isTopic || procedure.equals(Self.procedures), !message.payload.isEmpty else { return }
    let part = bytes.extracting(0..<message.payload.end)
    var at = message.payload.start + 1
    guard let uri = JSON.next(part, &at, inObject: false)?.value, uri.kind == .string,
      uri.content.count <= 1024
    else { return }
    var isPattern = false
    if let options = JSON.next(part, &at, inObject: false)?.value, options.kind == .object,
      let match = JSON.value(of: "match", in: options.range, bytes)
    {
      isPattern = !JSON.equals(bytes, match.content, "exact")
    }
    if open.count >= Self.most { open.removeFirst() }
    open.append(
      Lookup(
        request: message.first.key, isTopic: isTopic, uri: bytes[uri.content].copied(),
        isPattern: isPattern))
  }
}
