// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are complete: lines below could only add to what is known of them.
extension LogLines {
  var waiting: UInt64? {
    let lines = ([gathering].compactMap { $0 } + parked).filter(\.isComplete).map(\.origin.offset)
    return (lines + [wrapped?.origin.offset].compactMap { $0 }).min()
  }

  /// No such lines come for now: reads what is whole.
  mutating func settle(_ reader: inout LogReader) {
    if waiting == nil { return }
    endWrapped(&reader)
    let others = parked.filter { !$0.isComplete }
    let complete = parked.filter(\.isComplete)
    let own = gathering
    // The lines of each writer are read separately.
    for one in [own].compactMap({ $0 }).filter(\.isComplete) + complete {
      (gathering, parked) = (one, [])
      giveUp(&reader)
    }
    (gathering, parked) = (own.flatMap { $0.isComplete ? nil : $0 }, others)
    if gathering == nil && !parked.isEmpty { gathering = parked.removeFirst() }
  }
}

extension LogGathering {
  /// Whether what it has is whole.
  fileprivate var isComplete: Bool {
    switch block {
    case .dump(let length): LoggedDump(text.bytes, length)?.isWhole ?? false
    case .indented: !breaks.isEmpty
    case nil: isListOver
    }
  }
}
