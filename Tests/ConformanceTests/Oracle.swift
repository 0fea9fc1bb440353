// SPDX-License-Identifier: Apache-2.0

/// What must be reported of each message beside itself, worked out from the recorded bodies by the
/// rules of WAMP, with none of the code that is tested.
struct Oracle {
  struct Expected: Equatable {
    var subject: String?
    var answers: Int?
    var carries: Int?
  }

  private struct Session {
    var number = 0
    var hasBegun = false
    var isOpen = false
    var realm = ""
    var goodbye: (index: Int, direction: String)?
  }

  private struct Exchange: Hashable {
    var connection: Int
    var session: Int
    /// The code of the message that opens it.
    var code: UInt64
    var request: UInt64

    init(_ reported: NDJSONMessage, _ session: Int, _ code: UInt64, _ request: UInt64) {
      connection = reported.connection
      (self.session, self.code, self.request) = (session, code, request)
    }
  }

  private struct Request {
    var index: Int
    var uri: String?
    var isPattern = false
  }

  /// A subscription, registration or publication; `owner` is a session or a realm of a router.
  private struct Counter: Hashable {
    var owner: String
    var code: UInt64
    var id: UInt64
  }

  private struct Name {
    var uri: String?
    var isPattern = false
    var publish: Int?
  }

  private var sessions: [Int: Session] = [:]
  private var requests: [Exchange: Request] = [:]
  private var names: [Counter: Name] = [:]

  /// Takes the messages in output order; `body` is what the record says of it.
  mutating func expect(of reported: NDJSONMessage, body: Value, server: String) -> Expected {
    var session = sessions[reported.connection] ?? Session()
    defer { sessions[reported.connection] = session }
    guard let code = body[0]?.natural else { return Expected() }
    if code < 7 { return handshake(code, reported, body, &session) }
    let own = "session \(reported.connection) \(session.number)"
    let realm = "realm \(server) \(session.realm)"
    func exchange(_ code: UInt64, _ place: Int = 1) -> Exchange? {
      body[place]?.natural.map { Exchange(reported, session.number, code, $0) }
    }
    func name(_ code: UInt64, _ id: UInt64?) -> Name? {
      guard let id else { return nil }
      return names[Counter(owner: own, code: code, id: id)]
        ?? names[Counter(owner: realm, code: code, id: id)]
    }
    func answer(_ exchange: Exchange?, ends: Bool = true) -> Request? {
      guard let exchange, let request = requests[exchange] else { return nil }
      if ends { requests[exchange] = nil }
      return request
    }
    switch code {
    case 16, 32, 48, 64:
      let match = body[2]?["match"]?.text ?? "exact"
      let request = Request(
        index: reported.index, uri: body[3]?.text,
        isPattern: code != 16 && code != 48 && match != "exact")
      // Sent again while open, it is one more part of a call with progressive input.
      if let key = exchange(code), requests[key] == nil { requests[key] = request }
      return Expected(subject: request.uri)
    case 34, 66:
      let uri = name(code - 2, body[2]?.natural)?.uri
      if let key = exchange(code) { requests[key] = Request(index: reported.index, uri: uri) }
      return Expected(subject: uri)
    case 33, 65:
      guard let request = answer(exchange(code - 1)) else { return Expected() }
      if let id = body[2]?.natural {
        let name = Name(uri: request.uri, isPattern: request.isPattern)
        for owner in [own, realm] { names[Counter(owner: owner, code: code - 1, id: id)] = name }
      }
      return Expected(subject: request.uri, answers: request.index)
    case 35, 67:
      if let request = answer(exchange(code - 1)) {
        return Expected(subject: request.uri, answers: request.index)
      }
      let kind = code == 35 ? "subscription" : "registration"
      return Expected(subject: name(code - 3, body[2]?[kind]?.natural)?.uri)
    case 17:
      let request = answer(exchange(16))
      let uri = publication(body[2], request?.uri, request?.index, realm)
      return Expected(subject: uri.uri, answers: request?.index)
    case 36:
      let subscription = name(32, body[1]?.natural)
      let topic =
        body[3]?["topic"]?.text ?? (subscription?.isPattern == true ? nil : subscription?.uri)
      let known = publication(body[2], topic, nil, realm)
      return Expected(subject: known.uri, carries: known.publish)
    case 68:
      let registration = name(64, body[2]?.natural)
      let uri =
        body[3]?["procedure"]?.text ?? (registration?.isPattern == true ? nil : registration?.uri)
      if let key = exchange(68) { requests[key] = Request(index: reported.index, uri: uri) }
      return Expected(subject: uri)
    case 50, 70:
      let request = answer(
        exchange(code == 50 ? 48 : 68), ends: body[2]?["progress"]?.isTrue != true)
      return Expected(subject: request?.uri, answers: request?.index)
    case 8:
      let request = body[1]?.natural.flatMap { answer(exchange($0, 2)) }
      return Expected(subject: request?.uri, answers: request?.index)
    case 49, 69:
      return Expected(subject: answer(exchange(code == 49 ? 48 : 68), ends: false)?.uri)
    default: return Expected()
    }
  }

  /// All messages of one publication are about the same; the first PUBLISHED shows which PUBLISH.
  private mutating func publication(
    _ id: Value?, _ uri: String?, _ publish: Int?, _ realm: String
  ) -> Name {
    guard let id = id?.natural else { return Name(uri: uri) }
    let key = Counter(owner: realm, code: 16, id: id)
    let known = names[key]
    let name = Name(uri: uri ?? known?.uri, publish: known?.publish ?? publish)
    names[key] = Name(uri: known?.uri ?? uri, publish: name.publish)
    return name
  }

  private mutating func handshake(
    _ code: UInt64, _ reported: NDJSONMessage, _ body: Value, _ session: inout Session
  ) -> Expected {
    func key(_ opener: UInt64) -> Exchange { Exchange(reported, session.number, opener, 0) }
    switch code {
    case 1:
      if session.hasBegun { session = Session(number: session.number + 1) }
      session.hasBegun = true
      session.realm = body[1]?.text ?? ""
      requests[key(1)] = Request(index: reported.index)
      return Expected()
    case 2, 3:
      if code == 2 { session.realm = body[2]?["realm"]?.text ?? session.realm }
      let isAnswer = !session.isOpen
      session.isOpen = code == 2
      let answered = isAnswer || code == 2 ? requests.removeValue(forKey: key(1)) : nil
      return Expected(answers: answered?.index)
    case 4:
      requests[key(4)] = Request(index: reported.index)
      return Expected(answers: requests.removeValue(forKey: key(1))?.index)
    case 5:
      requests[key(1)] = Request(index: reported.index)
      return Expected(answers: requests.removeValue(forKey: key(4))?.index)
    default:
      if let goodbye = session.goodbye, goodbye.direction != reported.direction {
        return Expected(answers: goodbye.index)
      }
      session.goodbye = (reported.index, reported.direction)
      return Expected()
    }
  }
}
