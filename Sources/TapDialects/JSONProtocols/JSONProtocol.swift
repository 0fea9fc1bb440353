// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A published protocol whose messages are JSON, described by a table: where a message says what
/// it is, which id joins an answer to its question, and what it is about.
struct JSONProtocol: Sendable {
  /// Who may ask.
  enum Askers: Sendable { case client, both }

  /// What tells a message from those of other applications, where its kind is a word that any of
  /// them may have.
  enum Distinction: Sendable {
    case none
    /// It says, where this protocol has it, what it is about.
    case subject
    /// It does, and no other protocol has such subjects.
    case subjectLike(@Sendable (RawSpan) -> Bool)
    /// An object of an id that is a number, and of one more member, an object.
    case idAndMember
  }

  /// Appends the text of a message of bytes; false for bytes that are none.
  struct Unpacking: Sendable {
    /// What the bytes are called.
    var name: StaticString
    var append: @Sendable (RawSpan, inout JSONScanner, inout Scratch) -> Bool
  }

  /// Where a message says of which kind it is.
  enum KindLocation: Sendable {
    case value(JSONPath)
    /// The first member there that the table knows by its key; an object without members is "{}".
    case member(JSONPath)
  }

  /// Its place in `Dialects.all`, `protocol` of the machine output: `graphql`.
  var name: StaticString
  /// `GraphQL over WebSocket`.
  var title: String
  /// Where it is written.
  var source: String
  /// The subprotocols of WebSocket that stand for it.
  var subprotocols: [StaticString] = []
  /// What separates several texts in one WebSocket message; nil when there is only one.
  var separator: UInt8?
  /// Makes a text of a message of bytes; nil where these are no messages.
  var unpacking: Unpacking?
  /// Tried in order.
  var kindAt: [KindLocation]
  var kinds: [JSONKind]
  /// Kinds of the application's own, which the table does not have; nil when there are none.
  var other: JSONKind?
  /// What has no kind; nil where that is no message.
  var fallback: JSONKind?
  var askers = Askers.client
  /// The id that joins question and answer; the first that is there. Each element of a list is one.
  var ids: [JSONPath]
  /// Where an answer has the id of its question, if under another name; the first that is there.
  var answers: [JSONPath] = []
  /// What the id is called.
  var idWord: Symbol = "request"
  /// Ids begin anew in each of these.
  var scope: JSONPath?
  /// An answer comes in parts, and none says that it is the last.
  var isAnsweredInParts = false
  /// The kind that a connection begins with; behind it, what has no id is answered in the order in
  /// which it was asked. Nil where it is not.
  var orderBegins: Symbol?
  /// What a message is about; the first that is there.
  var subjects: [JSONPath]
  /// Subjects that only one side sends: they tell who writes a log.
  var subjectsFromClient: [StaticString] = []
  var subjectsFromServer: [StaticString] = []
  /// What tells that a message is of this protocol, beside kinds that no other has.
  var distinction = Distinction.none
  /// A list of the right form is of this protocol only if that tells so.
  var needsDistinction = false
  /// Whether no other protocol has lists like this one, whose elements these are.
  var isListOfItsOwn: (@Sendable (borrowing JSONScanner, RawSpan) -> Bool)?
  /// What it carries; the first that is there.
  var payloads: [JSONPath]
  /// What a message that reports a failure says of it.
  var reasons: [JSONPath] = []
  /// Strings that are credentials.
  var secrets: [JSONPath] = []
  /// Strings that are credentials in messages about these subjects, and in no others.
  var secretsAbout: (subjects: [StaticString], paths: [JSONPath]) = ([], [])
  /// Reads the log of a program that tells its messages in words; nil where none is known.
  var narratedLog: (@Sendable (Limits) -> any NarratedLog)?
  /// What codes of CLOSE mean; the first that has a code counts.
  var closeCodes: [JSONCloseCode] = []
  /// What `explain` says of the protocol itself.
  var page: [Topic.Part]
}

/// What a protocol means by codes of CLOSE.
struct JSONCloseCode: Sendable {
  var codes: ClosedRange<UInt16>
  var meaning: CloseMeaning

  /// - Parameter isToReconnect: whether the client shall connect again; nil where the protocol does
  ///   not say.
  init(_ codes: ClosedRange<UInt16>, _ words: StaticString, isToReconnect: Bool? = nil) {
    (self.codes, meaning) = (codes, CloseMeaning(words, isToReconnect: isToReconnect))
  }

  init(_ code: UInt16, _ words: StaticString, isToReconnect: Bool? = nil) {
    self.init(code...code, words, isToReconnect: isToReconnect)
  }
}

/// One kind of message.
struct JSONKind: Sendable {
  /// What a message of this kind does in its exchange.
  enum Role: Sendable, BitwiseCopyable {
    /// Nothing is asked or answered.
    case tells
    /// Asks, and is always answered.
    case asks
    /// Asks for what may never come: the events of a subscription.
    case mayAsk
    /// Answers, and ends the exchange.
    case answers
    /// Answers; more may come.
    case continues
    /// Wants no more answers.
    case cancels
    /// Asks when the client sends it, answers when the server does.
    case calls
    /// Answers what the other side has asked under this id, or asks.
    case echoes
  }

  /// What hardly anything else has.
  enum Distinction: Sendable {
    case byNothing
    /// Such a kind.
    case byKind
    /// Such a kind with all of these, two at most.
    case byMembers([JSONPath])
  }

  /// Whether it reports a failure.
  enum Failure: Sendable {
    case never, always
    /// If this is there; `ok` is none.
    case ifPresent(JSONPath)
    case ifFalse(JSONPath)
  }

  /// As the message has it.
  var value: Symbol
  /// What it is called.
  var name: Symbol
  /// What it is called without an id, which asks nothing.
  var nameWithoutID: Symbol?
  var role: Role
  var distinction: Distinction
  var failure: Failure
  /// What a list has, in order; empty for objects.
  var elements: [JSONListElement]
  /// What the id is called, where it is not what the protocol calls it.
  var idWord: Symbol?
  /// What it is about, and what it carries, where the protocol says nothing for all kinds.
  var subject: JSONPath?
  var payload: JSONPath?
  /// The kind that the server has to send before the client may send this one.
  var after: Symbol?
  /// What `explain` says of it.
  var meaning: String
  /// One as it is sent.
  var example: String

  /// - Parameter name: nil where it is called as it is sent.
  init(
    _ value: Symbol, called name: Symbol? = nil, _ role: Role,
    distinct distinction: Distinction = .byNothing,
    fails failure: Failure = .never, elements: [JSONListElement] = [], id idWord: Symbol? = nil,
    subject: JSONPath? = nil, payload: JSONPath? = nil, _ meaning: String, _ example: String = ""
  ) {
    (self.value, self.name, self.role) = (value, name ?? value, role)
    (self.distinction, self.failure) = (distinction, failure)
    (self.elements, self.idWord, self.subject, self.payload) = (elements, idWord, subject, payload)
    (self.meaning, self.example) = (meaning, example)
  }

  /// The same with something that few kinds have.
  func with(nameWithoutID: Symbol? = nil, after: Symbol? = nil) -> JSONKind {
    var kind = self
    (kind.nameWithoutID, kind.after) = (nameWithoutID, after)
    return kind
  }
}

/// One element of messages that are lists.
struct JSONListElement: Sendable {
  /// As the specification calls it.
  var title: StaticString
  /// What it may be; empty for anything.
  var kinds: [JSONElement.Kind]

  init(_ title: StaticString, _ kinds: JSONElement.Kind...) {
    (self.title, self.kinds) = (title, kinds)
  }
}
