// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are complete: lines below could only add to what is known of them.
extension LineGatherer {
  var waiting: UInt64? {
    ([gathered].compactMap { $0 } + parked).filter(\.isComplete).map(\.origin.offset).min()
  }

  /// No such lines come for now: reads what is whole.
  mutating func settle(_ reader: inout LogReader) {
    if waiting == nil { return }
    let others = parked.filter { !$0.isComplete }
    let complete = parked.filter(\.isComplete)
    let own = gathered
    // The lines of each writer are read separately.
    for one in [own].compactMap({ $0 }).filter(\.isComplete) + complete {
      (gathered, parked) = (one, [])
      giveUp(&reader)
    }
    (gathered, parked) = (own.flatMap { $0.isComplete ? nil : $0 }, others)
    if gathered == nil && !parked.isEmpty { gathered = parked.removeFirst() }
  }
}

extension GatheredLines {
  /// Whether what it has is whole.
  fileprivate var isComplete: Bool {
    switch block {
    case .dump(let length): LoggedDump(text.bytes, length)?.isWhole ?? false
    case .indented: !breaks.isEmpty
    case nil: isListOver
    }
  }
}
