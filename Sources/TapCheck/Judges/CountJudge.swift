// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// `count: EVENT`, `at-least: 1`, and `none: failed`, which is `at-most: 0`.
final class CountJudge: Judge {
  private struct Group {
    var connection: UInt32 = 0
    var count: UInt64 = 0
    /// The number of possible matches.
    var possible: UInt64 = 0
  }

  private let bounds: CountBounds
  private var groups: [GroupKey: Group] = [:]
  /// In the order of first sight.
  private var order: [GroupKey] = []
  private var checked: UInt64 = 0
  private var excess: UInt64 = 0
  private var unseenGroups: UInt64 = 0
  /// Connections that matched as a whole, and were counted when they opened.
  private var counted: Set<UInt32> = []
  private var last: GroupKey?

  init(
    _ expectation: Expectation, _ bounds: CountBounds, _ matchers: [FilterMatcher],
    _ context: CheckContext
  ) {
    self.bounds = bounds
    super.init(expectation, matchers, context)
    if expectation.grouping == nil { register(.all, 0) }
  }

  private func register(_ key: GroupKey, _ connection: UInt32) {
    if key == last { return }
    last = key
    if groups[key] != nil { return }
    if order.count >= context.limits.checkedGroups {
      unseenGroups += 1
      return
    }
    groups[key] = Group(connection: connection)
    order.append(key)
  }

  override func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, scope: Truth
  ) {
    let truth = matchers[0].opened(opening, connection: connection, delivery).and(scope)
    if !opening.isFromStart { leftOpen(connection) }
    let grouping = expectation.grouping
    if grouping == .connection || grouping == .client {
      register(key(connection, 0, subject: 0), connection)
    }
    if truth == .yes { counted.insert(connection) }
    if let number = count(truth, key(connection, 0, subject: 0), connection) {
      addExample(edge(delivery.origin, connection), text(number))
    }
  }

  override func message(_ heard: borrowing Heard) {
    let truth = truth(heard)
    let connection = heard.view.joined.connection
    let isSession =
      expectation.grouping == .session && !heard.message.traits.contains(.isControl)
    if truth == .no && !isSession { return }
    let number = expectation.grouping == .subject ? context.number(of: heard.view.subject) : 0
    let key = key(connection, heard.message.session, subject: number)
    if isSession { register(key, connection) }
    guard let count = count(truth, key, connection) else { return }
    let isText = heard.message.traits.contains(.isJSON)
    let reason = isText ? heard.view.bytes[heard.message.reason].copied() : []
    addExample(
      context.reference(heard.message, heard.view),
      reason.isEmpty ? text(count) : String(decoding: reason, as: Unicode.UTF8.self))
  }

  override func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], scope: Truth
  ) {
    let truth = matchers[0].finding(finding, connection: connection, messages: messages)
      .and(scope)
    // Messages without a connection belong to no group.
    let isOfNone =
      connection == 0 && expectation.grouping != nil && expectation.grouping != .subject
    if truth == .no || isOfNone { return }
    let number = context.number(of: finding.subject.span.bytes)
    let key = key(
      connection, finding.session, subject: expectation.grouping == .subject ? number : 0)
    var reference = edge(finding.origin, connection)
    (reference.name, reference.subject) = (Symbol(finding.code.text), number)
    reference.index = messages.last ?? 0
    if let count = count(truth, key, connection) { addExample(reference, text(count)) }
  }

  override func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery, scope: Truth) {
    let truth = matchers[0].closed(closing, connection: connection, delivery).and(scope)
    if counted.remove(connection) == nil,
      let number = count(truth, key(connection, 0, subject: 0), connection)
    {
      addExample(edge(delivery.origin, connection), text(number))
    }
    super.closed(closing, connection: connection, delivery, scope: scope)
  }

  /// A reference to the beginning or the end of a connection.
  private func edge(_ origin: Origin, _ connection: UInt32) -> MessageReference {
    MessageReference(
      index: 0, connection: connection, time: origin.time, input: origin.input,
      record: origin.record, isLine: origin.isLine, direction: origin.direction,
      name: "connection", subject: 0, answers: 0)
  }

  private func key(_ connection: UInt32, _ session: UInt16, subject: Int32) -> GroupKey {
    GroupKey(
      expectation.grouping, connection: connection, session: session, subject: subject, context)
  }

  /// Counts one.
  ///
  /// - Returns: its number in its group, if that exceeds the maximum and an example is to be shown.
  private func count(_ truth: Truth, _ key: GroupKey, _ connection: UInt32) -> UInt64? {
    if truth == .no { return nil }
    register(key, connection)
    guard let at = groups.index(forKey: key) else { return nil }
    if truth == .unknown {
      groups.values[at].possible += 1
      return nil
    }
    checked += 1
    groups.values[at].count += 1
    let count = groups.values[at].count
    guard let most = bounds.most, count > most else { return nil }
    excess += 1
    return examples.count < Self.mostExamples ? count : nil
  }

  private func text(_ number: UInt64) -> String {
    bounds.most == 0 ? "matches" : "number \(number)"
  }

  /// Once the maximum is exceeded, more lines cannot mend it.
  override var isBroken: Bool { excess > 0 }

  override func result(isWhole: Bool) -> CheckResult {
    var (failing, doubtful): ([String], [String]) = ([], [])
    for key in order {
      guard let group = groups[key] else { continue }
      let name = key.text(context)
      let count = name.isEmpty ? "\(group.count)" : "\(name): \(group.count)"
      if let most = bounds.most, group.count > most {
        failing.append(count)
      } else if let least = bounds.least, group.count < least {
        if group.count + group.possible >= least {
          doubtful.append("\(count), and \(group.possible) that may match")
        } else if isCutOff && !isWhole {
          doubtful.append("\(count), and a connection was not captured from beginning to end")
        } else if loss == nil {
          failing.append(count)
        }
      } else if let most = bounds.most, group.count + group.possible > most {
        doubtful.append("\(count), and \(group.possible) that may match")
      }
    }
    let isNone = if case .none = expectation.form { true } else { false }
    let wanted = isNone ? "none" : bounds.text
    func shown(_ all: [String]) -> String {
      all.count > 3
        ? "\(all.prefix(3).joined(separator: "; ")) and \(all.count - 3) more"
        : all.joined(separator: "; ")
    }
    let isMissing = checked == 0 && (bounds.least ?? 0) > 0
    // Without any match, the verdict is `nothing`, unless data may be missing.
    if isMissing && doubtful.isEmpty {
      return nothing("nothing matched; wanted \(wanted)", isWhole: isWhole)
    }
    if !failing.isEmpty {
      return result(
        .fail, checked: checked, failed: excess > 0 ? excess : UInt64(failing.count),
        "\(shown(failing)), not \(wanted)")
    }
    if !doubtful.isEmpty {
      return result(.inconclusive, checked: checked, "\(shown(doubtful)); wanted \(wanted)")
    }
    // With only a minimum, missing lines cannot break it once reached.
    let isEnough = bounds.most == nil && expectation.grouping == nil && loss != nil
    let reached = isEnough && (groups[.all]?.count ?? 0) >= (bounds.least ?? 0)
    if let loss, !reached { return result(.inconclusive, checked: checked, loss) }
    if unseenGroups > 0 {
      return result(
        .inconclusive, checked: checked, "more than \(order.count) groups; the rest was not counted"
      )
    }
    let groups = expectation.grouping.map { TapTraffic.counted(order.count, $0.rawValue) }
    let what = groups.map { " in \($0)" } ?? ""
    return result(.pass, checked: checked, isNone ? "none" : "\(checked)\(what), \(wanted)")
  }
}
