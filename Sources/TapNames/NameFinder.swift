// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Finds named values and values to mask in messages. The rules for a subject are selected once per
/// subject.
public struct NameFinder: Sendable {
  /// The rules for a subject, as indices in `Names`.
  public struct Choice: Hashable, Sendable {
    fileprivate var rules: [Int] = []
    fileprivate var masks: [Int] = []
    fileprivate var shows: [Int] = []
  }

  private let names: Names
  /// By subject number: an index in `choices`; negative when not selected yet.
  private var places = ContiguousArray<Int32>()
  /// The distinct choices, at most one for each combination of rules that occurs.
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
    // When the subject is unknown, apply all masks: any of them might be meant.
    choice.masks = Array(names.masks.indices)
    choice.shows = names.shows.indices.filter { place in
      names.shows[place].subjects.contains { $0.matchesUnknown }
    }
    unknown = choice
  }

  /// The numbers of subjects are not valid any more.
  public mutating func forgetNumbers() { places.removeAll() }

  /// The rules for messages with an unknown subject.
  public var choiceForUnknown: Choice { unknown }

  /// - Parameter number: the subject's number; 0 when it has none.
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

  /// Removes the masks of values that the names file shows although a credential's name precedes
  /// them.
  public func removeShown(
    in message: Message, _ bytes: RawSpan, _ choice: Choice,
    from notes: inout ContiguousArray<Note>
  ) {
    if choice.shows.isEmpty { return }
    let shown = Set(choice.shows.flatMap { names.shows[$0].ranges(in: message, bytes) })
    notes.removeAll { $0.kind == .secret && $0.isByName && shown.contains($0.range) }
  }

  /// - Parameter bytes: the masked message: masked values get no name either.
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
