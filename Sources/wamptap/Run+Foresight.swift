// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapNames
import TapTraffic

/// A capture that begins in the middle of its sessions is read twice: what becomes known late, as
/// the topic of a subscription, is shown from the first message on. A live capture cannot be read
/// twice.
extension Run {
  func foresee(_ named: Names) throws {
    // A key log that is a pipe can be read only once.
    let haveSecrets = options.keyLog.paths.allSatisfy { Terminal.isFile($0) }
    guard isReadableAgain, haveSecrets, try isMidstream(named) else { return }
    let whole = makeInspector(named, Selection(), most: .max, collectsNames: true)
    try pass(whole)
    foresight.names = whole.foreseen
  }

  /// Whether there is a connection that was there before the capture. Only the first packets are
  /// decoded for that, and more of them where their TCP shows that it may be so.
  private func isMidstream(_ named: Names) throws -> Bool {
    let first = try search(named, most: 2_000)
    if first.isMidstream || !first.isCut { return first.isMidstream }
    let most = 20_000
    let count = MidstreamSearch(isAlone: groups.count == 1, most: most)
    let missed = MissedBeginnings(limits: limits)
    try reread(makeInspector(named, count, most: .max), onto: sink(missed, count))
    missed.finish()
    return try missed.areLikely && search(named, most: most).isMidstream
  }

  private func search(_ named: Names, most: Int) throws -> MidstreamSearch {
    let search = MidstreamSearch(isAlone: groups.count == 1, most: most)
    try pass(makeInspector(named, search, most: .max)) { try sink($0, search) }
    return search
  }

  private func sink(_ sink: any EvidenceSink, _ search: MidstreamSearch) throws -> PacketFilterSink
  {
    PacketFilterSink(
      sink, try openPacketFilter(), nil, expression: request.filter, search: search)
  }
}
