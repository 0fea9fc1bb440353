// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames
import TapTraffic

/// Compares values with the constants of a step.
extension FilterProgram {
  /// A number, a duration, a size.
  func holds(_ step: Step, _ value: Int128) -> Bool {
    if step.relation == .exists { return true }
    for index in step.constants.start..<step.constants.end {
      let constant = constants[index]
      if Self.holds(step.relation, value, constant.low, constant.high) { return true }
    }
    return false
  }

  static func holds(
    _ relation: Test.Relation, _ value: Int128, _ low: Int128, _ high: Int128
  ) -> Bool {
    switch relation {
    case .equal, .among: low <= value && value <= high
    case .notEqual: value < low || value > high
    case .less: value < low
    case .atMost: value <= high
    case .more: value > high
    case .atLeast: value >= low
    default: false
    }
  }

  /// A value that is at most `most`, and may be 0.
  func holds(_ step: Step, atMost most: Int128) -> Truth {
    if step.relation == .exists { return .yes }
    var isAny = false
    var isAll = true
    for index in step.constants.start..<step.constants.end {
      let constant = constants[index]
      let (low, high) = (constant.low, constant.high)
      // It holds for all values from 0 to `most`, for some, or for none.
      let (all, some): (Bool, Bool) =
        switch step.relation {
        case .less: (most < low, 0 < low)
        case .atMost: (most <= high, 0 <= high)
        case .more: (0 > high, most > high)
        case .atLeast: (0 >= low, most >= low)
        case .notEqual: (most < low || high < 0, !(low <= 0 && most <= high))
        default: (low <= 0 && most <= high, low <= most && 0 <= high)
        }
      if all { return .yes }
      isAny = isAny || some
      isAll = isAll && all
    }
    return isAny ? .unknown : .no
  }

  /// - Parameters:
  ///   - zone: the offset of the displayed clock from UTC at that time, in seconds.
  ///   - start: the time of the first message.
  func holds(_ step: Step, _ time: Instant, zone: Int64, start: Instant) -> Bool {
    if step.relation == .exists { return true }
    let value = Int128(time.nanoseconds)
    for index in step.constants.start..<step.constants.end {
      let constant = constants[index]
      switch constant.kind {
      case .clock:
        let day: Int128 = 86_400_000_000_000
        let local = (value + Int128(zone) * 1_000_000_000) % day
        let clock = local < 0 ? local + day : local
        let isOverMidnight = constant.low > constant.high
        if isOverMidnight {
          if clock >= constant.low || clock <= constant.high { return true }
        } else if Self.holds(step.relation, clock, constant.low, constant.high) {
          return true
        }
      case .sinceStart:
        let passed = value - Int128(start.nanoseconds)
        if Self.holds(step.relation, passed, constant.low, constant.high) { return true }
      default:
        if Self.holds(step.relation, value, constant.low, constant.high) { return true }
      }
    }
    return false
  }

  /// Text without escapes.
  func holds(_ step: Step, _ text: RawSpan) -> Bool {
    if step.isLength { return holds(step, Int128(text.characterCount)) }
    switch step.relation {
    case .exists: return true
    case .matches: return patterns[Int(step.pattern)].matches(text)
    case .notEqual: return !isAny(step, text)
    default: return isAny(step, text)
    }
  }

  /// Whether a text equals, begins with, ends with or contains one of the constants.
  private func isAny(_ step: Step, _ text: RawSpan) -> Bool {
    for index in step.constants.start..<step.constants.end {
      let constant = constants[index]
      if constant.kind == .subjects {
        if subjects[Int(constant.number)].matches(text) { return true }
        continue
      }
      if constant.kind != .text { continue }
      let count = constant.text.count
      let isMeant: Bool
      switch step.relation {
      case .begins:
        isMeant =
          text.byteCount >= count
          && text.extracting(0..<count).equals(texts.bytes[constant.text])
      case .ends:
        isMeant =
          text.byteCount >= count
          && text.extracting(text.byteCount - count..<text.byteCount)
            .equals(texts.bytes[constant.text])
      case .contains:
        isMeant = Search.contains(
          text, texts.bytes[constant.text], rarest: Int(constant.rarest))
      default: isMeant = text.equals(texts.bytes[constant.text])
      }
      if isMeant { return true }
    }
    return false
  }

  func holds(_ step: Step, word: StaticString) -> Bool { holds(step, symbol: Symbol(word)) }

  func holds(_ step: Step, symbol: Symbol) -> Bool {
    switch step.relation {
    case .exists: return true
    case .equal, .among, .notEqual:
      for index in step.constants.start..<step.constants.end
      where texts.bytes[constants[index].text].equals(symbol: symbol) {
        return step.relation != .notEqual
      }
      return step.relation == .notEqual
    default: return holds(step, Array(symbol.description.utf8).span.bytes)
    }
  }

  /// An id that is a number.
  func holds(_ step: Step, id: UInt64) -> Bool {
    switch step.relation {
    case .begins, .ends, .contains, .matches:
      return holds(step, Array(String(id).utf8).span.bytes)
    default: return holds(step, Int128(id))
    }
  }

  func holds(_ step: Step, _ endpoint: Endpoint) -> Bool {
    if !endpoint.isKnown { return false }
    switch step.relation {
    case .exists: return true
    case .equal, .among, .notEqual:
      for index in step.constants.start..<step.constants.end
      where addresses[Int(constants[index].number)].matches(endpoint) {
        return step.relation != .notEqual
      }
      return step.relation == .notEqual
    default: return holds(step, Array(endpoint.description.utf8).span.bytes)
    }
  }
}
