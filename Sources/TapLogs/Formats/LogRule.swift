// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// One kind of line of a log format: what marks it, and what it says of the message in it. Data
/// only; readers of lines know no format. A class, so that looking it up for each message copies
/// nothing.
final class LogRule: Sendable {
  /// In what form the message stands there.
  enum Form: Sendable {
    /// As JSON, or as a value of the language that prints it.
    case value
    /// In a string with escapes; behind its end the line says how long it is: `[871 bytes]`. What
    /// is longer was cut in its middle, where `...` stands.
    case measured
    /// As it is, but clipped where it is long: `..` stands for the rest, and its length follows.
    case clipped
    /// `Name(key=value, …)`.
    case keywords
    /// An object by the names of its fields: `id=1 method='ping'`.
    case model
    /// `NAME: &{Key:value …}`.
    case structure
    /// `NAME: &{Key:value …}`, where the mark stands behind the name and not before it.
    case bareStructure
    /// `name [element, …]`, without the code of the type.
    case elements
    /// The type of a message and nothing else of it: `NAME`.
    case title
    /// A frame of WebSocket.
    case frame(LoggedFrame.Notation)
    /// Bytes as they were sent.
    case octets
    /// What follows, to the end of the line or to what the program puts behind it; the words of
    /// one of these heads stand for its first characters. It may begin behind more words. Where it
    /// ends with `cut`, the rest of a long one was not printed.
    case packet(
      [PacketHead], until: StaticString = "", behind: StaticString = "", cut: StaticString = "")
    /// The bytes of the message in pieces, as a list of Python: `b'SEND', b'\n', …]`.
    case pieces
    /// A frame of STOMP as it was sent: its command on this line, the rest below. `PING` and `PONG`
    /// stand for heart-beats.
    case frameLines
    /// A frame of STOMP by its parts: `'MESSAGE', headers={…}, body='…'`.
    case frameParts
    /// A whole message of WebSocket on the lines below, which are indented: as a dump, as text, or
    /// as text with escapes where it is one of bytes.
    case block(Opcode)
    /// Bytes of a stream on the lines below, as a dump; the line says how many.
    case dump
    /// The subprotocols of a handshake: those that are offered, or the one that is chosen.
    case subprotocol
    /// The request of a handshake: its receiver is the server.
    case request
    /// A connection has ended.
    case ended
    /// No message: the program says that it lost one.
    case loss
    /// No message: another line prints it better.
    case ignored
    /// No message: the line shows which side writes.
    case aside
    /// No message, if this follows the mark; otherwise the line follows no rule.
    case ignoredBefore(StaticString)
  }

  /// What a program prints in place of the first characters of a message.
  struct PacketHead: Sendable {
    /// `MESSAGE data `
    let words: StaticString
    /// `4`; nil where the rest of the message is not printed.
    let characters: StaticString?
    /// Messages of bytes belong to it, which the program does not print.
    let lacksBytes: Bool
    /// The program also prints such bytes there, as if they were text.
    let mayBeBytes: Bool

    init(
      _ words: StaticString, _ characters: StaticString?, lacksBytes: Bool = false,
      mayBeBytes: Bool = false
    ) {
      (self.words, self.characters) = (words, characters)
      (self.lacksBytes, self.mayBeBytes) = (lacksBytes, mayBeBytes)
    }
  }

  /// Where the line names the session.
  enum Session: Sendable {
    case nowhere
    /// Right behind the mark; anything but digits means that there is none yet.
    case afterMark
    /// Behind these words, wherever they stand.
    case after(StaticString)
    /// Behind these words, the last of them before the mark; 0 means that there is none yet.
    case beforeMark(StaticString)
    /// The number before the message.
    case beforeMessage
    /// In brackets right before the message: `[5718276356293104] SUBSCRIBE`. The line follows the
    /// rule only where it stands there.
    case bracketed
  }

  /// Where the line names who wrote it, or whom it is about, where several write into one log.
  enum Writer: Sendable {
    case nobody
    /// `[Name      1234 …]`, on this line or the one before.
    case process
    /// The first word of the line.
    case firstWord
    /// The word behind the mark names the other end.
    case peer
    /// The word right before the mark names the one of many that the server talks with.
    case wordBefore
    /// A word of one of these lengths, with a colon, stands right before the mark where a server
    /// writes: the secret id of the session. Where a client does, there is none.
    case secret(lengths: [Int])
    /// The secret id of the session stands behind these words, which follow the message.
    case secretBehind(StaticString)
  }

  /// Nothing on the line is a message.
  var isIgnored: Bool {
    switch form {
    case .ignored, .ignoredBefore: true
    default: false
    }
  }

  /// A value of JSON, or of a language, stands behind its mark.
  var isOfValues: Bool {
    switch form {
    case .value, .measured, .clipped: true
    default: false
    }
  }

  /// Of a long message, the beginning stands behind its mark.
  var isClipped: Bool {
    if case .clipped = form { true } else { false }
  }

  /// All that follows its mark is what was sent.
  var isOfPayloads: Bool { isOfValues && dialect.utf8CodeUnitCount == 0 }

  /// What its lines name the writer by is a secret.
  var namesSecrets: Bool {
    switch writer {
    case .secret, .secretBehind: true
    default: false
    }
  }

  /// Its lines name the session.
  var hasSession: Bool {
    if case .nowhere = session { false } else { true }
  }

  /// Its lines are a dump of bytes.
  var isDump: Bool {
    if case .dump = form { true } else { false }
  }

  /// A list may stand behind its mark.
  var isOfLists: Bool {
    switch form {
    case .frame(.hexadecimal), .frame(.closing), .frame(.wire): false
    case .value, .measured, .clipped, .frame, .ignored, .ignoredBefore: true
    case .keywords, .model, .structure, .bareStructure, .elements, .title, .octets, .packet,
      .pieces,
      .frameParts,
      .frameLines, .block, .dump,
      .subprotocol, .request, .ended, .loss, .aside:
      false
    }
  }

  /// Where mark, message and time stand.
  struct Placement: OptionSet, Sendable {
    let rawValue: UInt8
    /// The mark begins the line, but for its time, and the message follows it.
    static let first = Placement(rawValue: 1)
    /// The message is on one of the lines below.
    static let below = Placement(rawValue: 1 << 1)
    /// The time is on the line before.
    static let timedBefore = Placement(rawValue: 1 << 2)
  }

  /// Stands before the message. No digits, so that lines that differ in numbers alone are alike.
  let mark: StaticString
  let direction: LogDirection
  let form: Form
  let placement: Placement
  let session: Session
  let writer: Writer
  /// Which side prints such lines, of a program that may be either.
  let side: LogFormat.Side
  /// Rules of different layers of one program print the same message; the lowest number counts.
  let layer: UInt8
  /// The dialect of what stands behind the mark, also where it is malformed: the line says so.
  /// Empty where it does not. The mark is, or contains, an anchor of the format.
  let dialect: StaticString

  init(
    _ mark: StaticString, _ direction: LogDirection, _ form: Form = .value,
    at placement: Placement = [],
    session: Session = .nowhere, writer: Writer = .nobody, by side: LogFormat.Side = .unknown,
    layer: UInt8 = 0, of dialect: StaticString = ""
  ) {
    (self.mark, self.direction, self.form) = (mark, direction, form)
    (self.placement, self.session, self.writer) = (placement, session, writer)
    (self.side, self.layer, self.dialect) = (side, layer, dialect)
  }
}
