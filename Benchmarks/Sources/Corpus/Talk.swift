// SPDX-License-Identifier: Apache-2.0

/// Writes the messages of one WAMP session, like those of a busy application.
struct Talk {
  /// The answers that are due, oldest first.
  private enum Owed {
    case result(UInt64)
    case published(UInt64, arguments: ArraySlice<UInt8>)
    case yield(UInt64)
  }

  /// State that all sessions of a router share.
  struct Router {
    /// The latest acknowledged publication, its session, and its arguments, which all its EVENTs
    /// have.
    var publication: UInt64 = 0
    var publisher = 0
    var arguments: ArraySlice<UInt8> = []
    /// The text from which strings are taken.
    let words: [UInt8]

    init(_ random: inout Random) {
      var words: [UInt8] = []
      while words.count < 1 << 14 {
        for _ in 0..<(2 + random.below(7)) { words.append(UInt8(0x61 + random.below(26))) }
        words.append(0x20)
      }
      self.words = words
    }
  }

  private static let topics: [StaticString] = [
    "com.example.sensors.temperature", "com.example.sensors.humidity", "com.example.orders.placed",
    "com.example.orders.shipped", "com.example.chat.lobby", "com.example.market.quotes",
  ]
  private static let procedures: [StaticString] = [
    "com.example.sensors.read", "com.example.orders.list", "com.example.orders.find",
    "com.example.users.profile", "com.example.math.add2",
  ]

  private let number: Int
  private let serves: Bool
  private let subscription: UInt64
  private let registration: UInt64
  private var request: UInt64 = 2
  private var invocation: UInt64 = 0
  private var owed: [Owed] = []
  private var reported = 0
  /// The publication of the latest EVENT.
  private var heard: UInt64 = 0

  /// - Parameter serves: whether the session's own procedures are called too.
  init(number: Int, serves: Bool, _ random: inout Random) {
    (self.number, self.serves) = (number, serves)
    (subscription, registration) = (random.id(), random.id())
  }

  /// Writes the next message; returns whether the client sends it.
  mutating func next(
    into text: inout [UInt8], _ router: inout Router, _ random: inout Random
  ) -> Bool {
    text.removeAll(keepingCapacity: true)
    reported += 1
    if reported <= 6 { return begin(&text, &random) }
    let length = 60 + random.below(101)
    if !owed.isEmpty && random.below(4) < owed.count {
      return settle(&text, length, &router, &random)
    }
    var choice = random.below(100)
    // No session gets a publication twice, or its own.
    let mayHear = router.publication != heard && router.publisher != number
    if choice >= 60 && !(choice < 75 && serves) && !mayHear { choice = 0 }
    switch choice {
    case ..<40:
      request += 1
      owed.append(.result(request))
      text.append("[48,")
      text.append(decimal: request)
      text.append(",{},\"")
      text.append(Self.procedures[random.below(Self.procedures.count)])
      text.append("\",[")
      arguments(&text, length, router, &random)
      return true
    case ..<60:
      request += 1
      text.append("[16,")
      text.append(decimal: request)
      text.append(",{\"acknowledge\":true},\"")
      text.append(Self.topics[random.below(Self.topics.count)])
      text.append("\",")
      let start = text.count
      text.append("[")
      arguments(&text, length, router, &random)
      owed.append(.published(request, arguments: text[start...]))
      return true
    case ..<75 where serves:
      invocation += 1
      owed.append(.yield(invocation))
      text.append("[68,")
      text.append(decimal: invocation)
      text.append(",")
      text.append(decimal: registration)
      text.append(",{},[")
    default:
      text.append("[36,")
      text.append(decimal: subscription)
      text.append(",")
      text.append(decimal: router.publication)
      text.append(",{},")
      text.append(contentsOf: router.arguments)
      heard = router.publication
      return false
    }
    arguments(&text, length, router, &random)
    return false
  }

  /// A PUBLISH with many rows.
  mutating func bulk(
    into text: inout [UInt8], bytes: Int, _ router: Router, _ random: inout Random
  ) {
    request += 1
    text.removeAll(keepingCapacity: true)
    text.append("[16,")
    text.append(decimal: request)
    text.append(",{},\"com.example.orders.archive\",[")
    while text.count < bytes {
      let length = text.count + 60 + random.below(101)
      text.append("[")
      arguments(&text, length, router, &random)
      // Replace the closing bracket of the message.
      text[text.count - 1] = UInt8(ascii: ",")
    }
    text.append("null]]")
  }

  private mutating func begin(_ text: inout [UInt8], _ random: inout Random) -> Bool {
    switch reported {
    case 1:
      text.append(
        #"[1,"realm1",{"roles":{"caller":{},"callee":{},"publisher":{},"subscriber":{}}}]"#)
    case 2:
      text.append("[2,")
      text.append(decimal: random.id())
      text.append(",{\"roles\":{\"broker\":{},\"dealer\":{}},\"realm\":\"realm1\"}]")
    case 3:
      text.append("[32,1,{},\"")
      text.append(Self.topics[number % Self.topics.count])
      text.append("\"]")
    case 4:
      text.append("[33,1,")
      text.append(decimal: subscription)
      text.append("]")
    case 5:
      text.append("[64,2,{},\"com.example.worker.job")
      text.append(decimal: UInt64(number))
      text.append("\"]")
    default:
      text.append("[65,2,")
      text.append(decimal: registration)
      text.append("]")
    }
    return reported % 2 == 1
  }

  private mutating func settle(
    _ text: inout [UInt8], _ length: Int, _ router: inout Router, _ random: inout Random
  ) -> Bool {
    switch owed.removeFirst() {
    case .result(let request):
      text.append("[50,")
      text.append(decimal: request)
    case .published(let request, let arguments):
      (router.publication, router.publisher) = (random.id(), number)
      router.arguments = arguments
      text.append("[17,")
      text.append(decimal: request)
      text.append(",")
      text.append(decimal: router.publication)
      text.append("]")
      return false
    case .yield(let invocation):
      text.append("[70,")
      text.append(decimal: invocation)
      text.append(",{},[")
      arguments(&text, length, router, &random)
      return true
    }
    text.append(",{},[")
    arguments(&text, length, router, &random)
    return false
  }

  /// Arguments up to a message length of about `length` bytes, and both closing brackets.
  private func arguments(
    _ text: inout [UInt8], _ length: Int, _ router: Router, _ random: inout Random
  ) {
    text.append(decimal: UInt64(random.below(100_000)))
    text.append(random.below(2) == 0 ? ",true,{\"value\":" : ",null,{\"value\":")
    text.append(decimal: UInt64(random.below(100)))
    text.append(".")
    text.append(decimal: UInt64(random.below(10)))
    text.append(",\"label\":\"")
    let count = max(length - text.count - 5, 1)
    let start = random.below(router.words.count - count)
    text.append(contentsOf: router.words[start..<start + count])
    text.append("\"}]]")
  }
}
