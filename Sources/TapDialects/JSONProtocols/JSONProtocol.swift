// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A published protocol with JSON messages, described by a table: where a message has its kind, its
/// subject, and the id that joins an answer to its question.
struct JSONProtocol: Sendable {
  /// Which sides may ask.
  enum Askers: Sendable { case client, both }

  /// How to recognise a message whose kind is a common word.
  enum Distinction: Sendable {
    case none
    /// It has a subject where this protocol puts it.
    case subject
    /// It has a subject that only this protocol uses.
    case subjectLike(@Sendable (RawSpan) -> Bool)
    /// An object with a numeric id and exactly one more member, an object.
    case idAndMember
  }

  /// Converts a binary message to text; false when the bytes are not a message.
  struct Unpacking: Sendable {
    /// The name of the binary format.
    var name: StaticString
    /// Given the message and its direction, with a scanner to check parts of it.
    var append: @Sendable (RawSpan, Direction, inout JSONScanner, inout Scratch) -> Bool
  }

  /// Where a message has its kind.
  enum KindLocation: Sendable {
    case value(JSONPath)
    /// The first member there whose key is a kind of the table; an object without members has the
    /// kind "{}".
    case member(JSONPath)
  }

  /// The dialect's name, `protocol` in the machine output: `graphql`.
  var name: StaticString
  /// `GraphQL over WebSocket`.
  var title: String
  /// The specification.
  var source: String
  /// Its WebSocket subprotocols.
  var subprotocols: [StaticString] = []
  /// The separator of several texts in one WebSocket message; nil when there is only one.
  var separator: UInt8?
  /// Converts binary messages to text; nil when the protocol has none.
  var unpacking: Unpacking?
  /// Tried in order.
  var kindAt: [KindLocation]
  var kinds: [JSONKind]
  /// For kinds that the application defines; nil when there are none.
  var other: JSONKind?
  /// For messages without a kind; nil when these are not messages.
  var fallback: JSONKind?
  var askers = Askers.client
  /// Paths of the id that joins question and answer; the first present one counts. A list means one
  /// id for each element.
  var ids: [JSONPath]
  /// Paths of the question's id in answers, if different; the first present one counts.
  var answers: [JSONPath] = []
  /// The word for the id.
  var idWord: Symbol = "request"
  /// Ids are unique only within this value.
  var scope: JSONPath?
  /// An answer that lacks the scope of its question: it has this value at this path.
  var unscoped: (path: JSONPath, value: StaticString)?
  /// The path of a list of ids of streams that the asking side sends beside its question.
  var streams: JSONPath?
  /// A kind that reports why a question is not answered, but not which one.
  var excusing: Symbol?
  /// The subprotocol under which some servers send a further answer behind one that reports a
  /// failure.
  var endsTwiceUnder: StaticString?
  /// Answers come in parts, and the last part is not marked.
  var isAnsweredInParts = false
  /// The kind that a client sends once, first of all; nil when there is none.
  var connectionBegins: Symbol?
  /// The kind that begins a connection, after which messages without an id are answered in order.
  /// Nil when they are not.
  var orderBegins: Symbol?
  /// Paths of the subject; the first present one counts.
  var subjects: [JSONPath]
  /// Subjects that only one side sends: they show which side wrote a log.
  var subjectsFromClient: [StaticString] = []
  var subjectsFromServer: [StaticString] = []
  /// How to recognise a message, beside kinds that no other protocol has.
  var distinction = Distinction.none
  /// A list of the right form counts only with this distinction.
  var needsDistinction = false
  /// Whether a scanned list is one that no other protocol has.
  var isListOfItsOwn: (@Sendable (borrowing JSONScanner, RawSpan) -> Bool)?
  /// Paths of the payload; the first present one counts.
  var payloads: [JSONPath]
  /// Paths of the reason in a message that reports a failure.
  var reasons: [JSONPath] = []
  /// The path of words that explain such a reason, where that is only a code.
  var explanation: JSONPath?
  /// Paths of strings that are credentials.
  var secrets: [JSONPath] = []
  /// Paths of URLs, which may have credentials in them.
  var urls: [JSONPath] = []
  /// Paths of strings that are credentials in messages only whose subject begins so.
  var secretsAbout: (subjects: [StaticString], paths: [JSONPath]) = ([], [])
  /// Values that a name beside them shows to be credentials.
  var namedSecrets: [JSONNamedSecret] = []
  /// Notes credentials of a message that no path leads to; nil where there are none.
  var noteSecrets: (@Sendable (JSONElement, RawSpan, inout WorkingList<Note>) -> Void)?
  /// Reads the log of a program that describes its messages in words; nil if none is known.
  var narratedLog: (@Sendable (Limits) -> any NarratedLog)?
  /// The meaning of CLOSE codes; the first entry with the code counts.
  var closeCodes: [JSONCloseCode] = []
  /// The page of `explain` about the protocol.
  var page: [Topic.Part]
}

/// A value that is a credential where the object that has it gives it one of these names:
/// `{"key":"AuthorizationKey","value":…}`.
struct JSONNamedSecret: Sendable {
  /// The path of the object, or of a list of such objects.
  var place: JSONPath
  /// The paths in the object.
  var (name, value): (JSONPath, JSONPath)
  /// Where the value is a list of objects, the path in each of them.
  var inEach: JSONPath?
  /// In lower case; in messages their case does not count.
  var names: [StaticString]
}

/// The protocol's own meaning of CLOSE codes.
struct JSONCloseCode: Sendable {
  var codes: ClosedRange<UInt16>
  var meaning: CloseMeaning

  /// - Parameter isToReconnect: whether the client should reconnect; nil when not specified.
  init(_ codes: ClosedRange<UInt16>, _ words: StaticString, isToReconnect: Bool? = nil) {
    (self.codes, meaning) = (codes, CloseMeaning(words, isToReconnect: isToReconnect))
  }

  init(_ code: UInt16, _ words: StaticString, isToReconnect: Bool? = nil) {
    self.init(code...code, words, isToReconnect: isToReconnect)
  }
}

/// One kind of message.
struct JSONKind: Sendable {
  /// The role of a message in its exchange.
  enum Role: Sendable, BitwiseCopyable {
    /// Neither a question nor an answer.
    case notifies
    /// A question that is always answered.
    case asks
    /// A question whose answers may never come, such as the events of a subscription.
    case mayAsk
    /// An answer that ends the exchange.
    case answers
    /// An answer; more may follow.
    case continues
    /// Cancels the question.
    case cancels
    /// A question from the client, an answer from the server.
    case calls
    /// An answer if the other side has an open question with this id, otherwise a question.
    case echoes
  }

  /// What distinguishes the kind from other protocols.
  enum Distinction: Sendable {
    case byNothing
    /// The kind itself.
    case byKind
    /// The kind together with all these members, two at most.
    case byMembers([JSONPath])
    /// The kind together with this member, and nothing else.
    case byMemberAlone(JSONPath)
  }

  /// Whether it reports a failure.
  enum Failure: Sendable {
    case never, always
    /// When one of these values, two at most, is present and not `ok`.
    case ifPresent([JSONPath])
    case ifFalse(JSONPath)
  }

  /// The value in the message.
  var value: Symbol
  /// The name of the message.
  var name: Symbol
  /// The name of a message without an id, which asks nothing.
  var nameWithoutID: Symbol?
  var role: Role
  /// Which way it goes; unknown where both sides send it.
  var direction: Direction
  var distinction: Distinction
  var failure: Failure
  /// The elements of a list, in order; empty for objects.
  var elements: [JSONListElement]
  /// The word for the id, if not the protocol's usual one.
  var idWord: Symbol?
  /// Paths of subject and payload, if they differ from the protocol's.
  var subject: JSONPath?
  var payload: JSONPath?
  /// The kind that the server has to send before the client may send this one.
  var after: Symbol?
  /// The text of `explain`.
  var meaning: String
  /// An example message.
  var example: String

  /// - Parameter name: nil when it is the same as the value.
  init(
    _ value: Symbol, called name: Symbol? = nil, _ role: Role,
    sent direction: Direction = .unknown, distinct distinction: Distinction = .byNothing,
    fails failure: Failure = .never, elements: [JSONListElement] = [], id idWord: Symbol? = nil,
    subject: JSONPath? = nil, payload: JSONPath? = nil, _ meaning: String, _ example: String = ""
  ) {
    (self.value, self.name, self.role) = (value, name ?? value, role)
    (self.direction, self.distinction, self.failure) = (direction, distinction, failure)
    (self.elements, self.idWord, self.subject, self.payload) = (elements, idWord, subject, payload)
    (self.meaning, self.example) = (meaning, example)
  }

  /// A copy with properties that few kinds have.
  func with(nameWithoutID: Symbol? = nil, after: Symbol? = nil) -> JSONKind {
    var kind = self
    (kind.nameWithoutID, kind.after) = (nameWithoutID, after)
    return kind
  }
}

/// One element of messages that are lists.
struct JSONListElement: Sendable {
  /// The name in the specification.
  var title: StaticString
  /// The allowed kinds; empty for any.
  var kinds: [JSONElement.Kind]

  init(_ title: StaticString, _ kinds: JSONElement.Kind...) {
    (self.title, self.kinds) = (title, kinds)
  }
}
