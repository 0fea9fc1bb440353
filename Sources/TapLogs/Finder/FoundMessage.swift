// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A message as a notation has found it on a line, before anybody asks what else the line says.
struct FoundMessage {
  /// Its text, or its bytes.
  enum Content {
    /// It stands on the line as it was sent.
    case line(Range<Int>)
    /// It was made of what stands there.
    case made(Scratch)
  }

  /// How it is printed.
  struct Traits: OptionSet {
    let rawValue: UInt8
    /// It stands there in other words than it was sent in, though nothing is missing.
    static let reworded = Traits(rawValue: 1)
    /// What is nested more deeply than is read is left out of it.
    static let tooDeep = Traits(rawValue: 2)
    /// The logger left out nothing of it: some values are in a notation that is not understood.
    static let unread = Traits(rawValue: 4)
    /// An object among other words, which a mark of its own shows to be a message.
    static let markedObject = Traits(rawValue: 8)
    /// A request that stands in the record of its answer: it may have been printed before.
    static let besideAnswer = Traits(rawValue: 16)
    /// An object that goes on a list of messages, behind the first.
    static let ofBatch = Traits(rawValue: 32)
    /// A frame that shows nothing of its protocol, before any that does.
    static let unproven = Traits(rawValue: 64)
  }

  /// What has to be there for it to be a message, as it does not show that by itself.
  struct Needs: OptionSet {
    let rawValue: UInt8
    /// Words before it that say who sends.
    static let mark = Needs(rawValue: 1)
    /// A conversation that has begun.
    static let conversation = Needs(rawValue: 2)
    /// A conversation that has begun, or a handshake that has named the subprotocol.
    static let handshake = Needs(rawValue: 4)
  }

  var content: Content
  var recognition: Recognition
  var kind: Delivery.Kind
  /// The part of the line that stands for it.
  var place: Range<Int>
  var traits: Traits = []
  var needs: Needs = []
  /// The offset behind it in the text that it was read from.
  var end: Int

  init(
    _ content: Content, _ recognition: Recognition, _ kind: Delivery.Kind, _ place: Range<Int>,
    end: Int? = nil
  ) {
    (self.content, self.recognition, self.kind) = (content, recognition, kind)
    (self.place, self.end) = (place, end ?? place.upperBound)
  }

  init(
    _ text: Scratch, _ recognition: Recognition, _ kind: Delivery.Kind, _ place: Range<Int>,
    end: Int? = nil
  ) {
    self.init(.made(text), recognition, kind, place, end: end)
  }

  /// A text of which the logger has left out the rest. It does not show its dialect; only the
  /// messages around it do.
  init(beginning text: Scratch, _ place: Range<Int>, takesSentJSON: Bool) {
    // An object was sent as it is: no other text begins so.
    let isObject = text.bytes.starts(with: "{\"") || text.bytes.starts(with: "[{\"")
    var text = text
    text.append("…")
    self.init(text, Recognition(.possible), .abridged, place)
    if !takesSentJSON || !isObject { needs = .conversation }
  }
}
