// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Which of the messages a ladder shows: those that match one entry of each list. An empty list
/// matches everything.
public struct LadderFilter: Sendable {
  public enum Session: Sendable, Hashable {
    /// As in WELCOME.
    case id(UInt64)
    case connection(UInt32)
  }

  /// Beginnings of subjects, or patterns with `*` and `?`. They choose exchanges.
  public var subjects: [String] = []
  /// Numbers of requests. They choose exchanges.
  public var requests: [UInt64] = []
  /// They choose columns.
  public var sessions: [Session] = []

  public init() {}

  var choosesExchanges: Bool { !subjects.isEmpty || !requests.isEmpty }
  var isEmpty: Bool { !choosesExchanges && sessions.isEmpty }

  func matches(subject: RawSpan) -> Bool {
    if subjects.isEmpty { return true }
    let subject = subject.copied()
    return subjects.contains { Self.matches(subject, Array($0.utf8)) }
  }

  func matches(requestOf message: Message) -> Bool {
    if requests.isEmpty { return true }
    for index in 0..<3 {
      let link = message.link(index)
      if link.isShown && link.isRequest && requests.contains(link.key) { return true }
    }
    return false
  }

  /// Whether text has a beginning, or all of it matches a pattern. Never slower than the product of
  /// their lengths.
  static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    let (star, question) = (UInt8(ascii: "*"), UInt8(ascii: "?"))
    if !pattern.contains(star) && !pattern.contains(question) { return text.starts(with: pattern) }
    var (at, next) = (0, 0)
    // Where the last star stands, and how much of the text it was given.
    var (lastStar, given) = (-1, 0)
    while at < text.count {
      if next < pattern.count && pattern[next] == star {
        (lastStar, given) = (next, at)
        next += 1
      } else if next < pattern.count && (pattern[next] == question || pattern[next] == text[at]) {
        at += pattern[next] == question ? length(text, at) : 1
        next += 1
      } else if lastStar >= 0 {
        given += 1
        (at, next) = (given, lastStar + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == star }
  }

  /// Bytes of the character there.
  private static func length(_ text: [UInt8], _ at: Int) -> Int {
    var end = at + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end - at
  }
}

extension Link {
  /// Its key is the number of a request.
  var isRequest: Bool {
    switch role {
    case .opens, .restarts, .answers, .continues, .mentions: true
    // An answer whose request is of an unknown kind only shows the number.
    case .shows: isCalled("request")
    default: false
    }
  }

  func isCalled(_ name: StaticString) -> Bool {
    word.utf8CodeUnitCount == name.utf8CodeUnitCount && word.description == name.description
  }
}
