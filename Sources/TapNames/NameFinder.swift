// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Finds what has a name, and what is to be masked, in one message after the other. Which rules are
/// about a subject is found out once for each.
public struct NameFinder: Sendable {
  /// The rules that are about a subject, by their places in `Names`.
  public struct Choice: Hashable, Sendable {
    fileprivate var rules: [Int] = []
    fileprivate var masks: [Int] = []
    fileprivate var shows: [Int] = []
  }

  private let names: Names
  /// By subject number: the place in `choices`; negative when nobody asked.
  private var places = ContiguousArray<Int32>()
  /// Those that differ: no more than the combinations of rules that subjects have.
  private var choices = ContiguousArray<Choice>()
  private var known: [Choice: Int32] = [:]
  private let unknown: Choice

  public init(_ names: Names) {
    self.names = names
    var choice = Choice()
    for (place, rule) in names.rules.enumerated()
    where rule.subjects.contains(where: \.matchesUnknown) {
      choice.rules.append(place)
    }
    // What is not known to be harmless is masked: any of them might be the subject.
    choice.masks = Array(names.masks.indices)
    choice.shows = names.shows.indices.filter { place in
      names.shows[place].subjects.contains { $0.matchesUnknown }
    }
    unknown = choice
  }

  /// Subjects have other numbers from now on.
  public mutating func forgetNumbers() { places.removeAll() }

  /// The rules about messages whose subject is not known.
  public var choiceForUnknown: Choice { unknown }

  /// - Parameter number: stands for the subject from now on; 0 when it has none.
  public mutating func choice(for subject: RawSpan, number: Int32) -> Choice {
    let index = Int(number)
    if index > 0 && index < places.count && places[index] >= 0 {
      return choices[Int(places[index])]
    }
    var choice = Choice()
    for (place, rule) in names.rules.enumerated()
    where rule.subjects.contains(where: { $0.matches(subject) }) {
      choice.rules.append(place)
    }
    for (place, mask) in names.masks.enumerated()
    where mask.subjects.contains(where: { $0.matches(subject) }) {
      choice.masks.append(place)
    }
    choice.shows = names.shows.indices.filter { place in
      names.shows[place].subjects.contains { $0.matches(subject) }
    }
    if index > 0 { keep(choice, at: index) }
    return choice
  }

  private mutating func keep(_ choice: Choice, at index: Int) {
    while places.count <= index { places.append(-1) }
    if let place = known[choice] {
      places[index] = place
      return
    }
    places[index] = Int32(choices.count)
    known[choice] = places[index]
    choices.append(choice)
  }

  public func noteSecrets(
    in message: Message, _ bytes: RawSpan, _ choice: Choice,
    into notes: inout ContiguousArray<Note>
  ) {
    for place in choice.masks { names.masks[place].noteSecrets(in: message, bytes, into: &notes) }
  }

  /// Takes back the notes of values that are to be shown although the name beside them is that of a
  /// credential.
  public func removeShown(
    in message: Message, _ bytes: RawSpan, _ choice: Choice,
    from notes: inout ContiguousArray<Note>
  ) {
    if choice.shows.isEmpty { return }
    let shown = Set(choice.shows.flatMap { names.shows[$0].ranges(in: message, bytes) })
    notes.removeAll { $0.kind == .secret && $0.isByName && shown.contains($0.range) }
  }

  /// - Parameter bytes: the message as it may be shown: what is masked has no name either.
  public func namings(
    in message: Message, _ bytes: RawSpan, _ choice: Choice
  ) -> ContiguousArray<NamedValue> {
    var namings = ContiguousArray<NamedValue>()
    for place in choice.rules {
      let rule = names.rules[place]
      if namings.contains(where: { $0.field == rule.field.text }) { continue }
      guard let value = rule.field.first(in: message, bytes),
        let name = rule.name(of: value, bytes)
      else { continue }
      namings.append(NamedValue(rule.field.text, name, value.range))
    }
    return namings
  }
}
