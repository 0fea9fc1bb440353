// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// `in-order: [HELLO, WELCOME]`, `per: session`. A repeated step changes nothing; a step before its
/// turn breaks the order.
final class OrderJudge: Judge {
  private struct Course {
    var key: GroupKey
    /// The number of completed steps.
    var taken = 0
    var first: MessageReference?
    var last: MessageReference?
    /// What broke it.
    var fault: String?
    var faulty: MessageReference?
    var isDone = false
    /// Relevant messages may be missing.
    var isDoubtful = false
  }

  private let within: Int64?
  private var courses: [GroupKey: Course] = [:]
  private var keysOf: [UInt32: Set<GroupKey>] = [:]
  private var isFromStart: [UInt32: Bool] = [:]
  private var done: UInt64 = 0
  private var failed: UInt64 = 0
  private var undecided: UInt64 = 0
  private var doubt = ""
  private var fault = ""
  private var unseen: UInt64 = 0

  init(
    _ expectation: Expectation, within: Int64?, _ matchers: [FilterMatcher],
    _ context: CheckContext
  ) {
    self.within = within
    super.init(expectation, matchers, context)
  }

  override func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, scope: Truth
  ) {
    super.opened(opening, connection: connection, delivery, scope: scope)
    isFromStart[connection] = opening.isFromStart
  }

  override func message(_ heard: borrowing Heard) {
    var (matched, possible): (Int?, Bool) = (nil, false)
    let connection = heard.view.joined.connection
    let subject = expectation.grouping == .subject ? context.number(of: heard.view.subject) : 0
    let key = GroupKey(
      expectation.grouping, connection: connection, session: heard.message.session,
      subject: subject, context)
    let taken = courses[key]?.taken ?? 0
    // Check the next step first, as two steps may be the same.
    for at in [taken] + matchers.indices.filter({ $0 != taken }) where at < matchers.count {
      switch truth(heard, step: at) {
      case .yes: if matched == nil { matched = at }
      case .unknown: possible = true
      case .no: break
      }
    }
    if matched == nil && !possible { return }
    var course = courses[key] ?? Course(key: key)
    if courses[key] == nil {
      if courses.count >= context.limits.checkedGroups {
        unseen += 1
        return
      }
      keysOf[connection, default: []].insert(key)
    }
    defer { courses[key] = course }
    if course.isDone || course.fault != nil { return }
    guard let matched else {
      course.isDoubtful = true
      return
    }
    let reference = context.reference(heard.message, heard.view)
    if matched < course.taken { return }
    if matched > course.taken {
      course.fault = "came before \(expectation.filters[course.taken].text)"
      course.faulty = reference
      return
    }
    course.taken += 1
    if course.first == nil { course.first = reference }
    course.last = reference
    course.isDone = course.taken == matchers.count
    if let first = course.first, let within, first.time.isKnown, reference.time.isKnown {
      let took = reference.time.nanoseconds &- first.time.nanoseconds
      if took > within {
        course.fault = "came \(DurationText.text(took)) after the first step"
        course.faulty = reference
      }
    }
  }

  override func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery, scope: Truth) {
    // Groups larger than a connection continue after it.
    if expectation.grouping == .session || expectation.grouping == .connection {
      let isKnown = !closing.isUnfinished && !closing.isEndMissed
      for key in keysOf.removeValue(forKey: connection) ?? [] {
        if let course = courses.removeValue(forKey: key) {
          settle(course, connection, isEndKnown: isKnown)
        }
      }
    }
    super.closed(closing, connection: connection, delivery, scope: scope)
  }

  private func settle(_ course: Course, _ connection: UInt32, isEndKnown: Bool) {
    if course.isDone && course.fault == nil {
      done += 1
      return
    }
    let name = course.key.text(context)
    let prefix = name.isEmpty ? "" : "\(name): "
    let isLossy =
      context[connection].isLossy || context[connection].hasUnread || course.isDoubtful
    let isBeginKnown = isFromStart[connection] ?? true
    if let text = course.fault, let faulty = course.faulty {
      // A late step is late even if data is missing.
      let isLate = course.taken > 0 && faulty.index == course.last?.index
      if isLate || !isLossy && isBeginKnown && loss == nil {
        failed += 1
        if fault.isEmpty { fault = "\(prefix)\(faulty.name.description) \(text)" }
        addExample(faulty, text, course.first)
        return
      }
    } else if isEndKnown && !isLossy && loss == nil {
      failed += 1
      let next = expectation.filters[course.taken].text
      if fault.isEmpty { fault = "\(prefix)\(next) is missing" }
      if let last = course.last { addExample(last, "no \(next) follows") }
      return
    }
    undecided += 1
    if doubt.isEmpty {
      doubt =
        isLossy || loss != nil
        ? "\(prefix)bytes were not captured"
        : isBeginKnown
          ? "\(prefix)open at the end of the input"
          : "\(prefix)the beginning was not captured"
    }
  }

  override func result(isWhole: Bool) -> CheckResult {
    let left = keysOf.flatMap { pair in pair.value.map { (pair.key, $0) } }
      .sorted { $0.0 < $1.0 }
    for (connection, key) in left {
      guard let course = courses.removeValue(forKey: key) else { continue }
      settle(course, connection, isEndKnown: false)
    }
    let checked = done + failed + undecided
    let what = expectation.grouping.map { counted(Int(checked), $0.rawValue) } ?? "1 course"
    if failed > 0 {
      let count = checked == 1 ? "" : "\(failed) of \(what) out of order; "
      return result(.fail, checked: checked, failed: failed, count + fault)
    }
    if undecided > 0 {
      let count = checked == 1 ? "" : "\(undecided) of \(what) undecided; "
      return result(.inconclusive, checked: checked, count + doubt)
    }
    if checked == 0 { return nothing("no step matched", isWhole: isWhole) }
    if let loss { return result(.inconclusive, checked: checked, loss) }
    if unseen > 0 {
      return result(.inconclusive, checked: checked, "more groups than are watched")
    }
    return result(
      .pass, checked: checked, expectation.grouping == nil ? "in order" : "\(what) in order")
  }
}
