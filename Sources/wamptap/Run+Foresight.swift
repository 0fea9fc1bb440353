// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapNames

/// A capture that begins in the middle of its sessions is read twice: what becomes known late, as
/// the topic of a subscription, is shown from the first message on. Live, nobody can know it.
extension Run {
  func foresee(_ named: Names) throws {
    // A key log that is a pipe can be read once.
    let haveSecrets = keyLog.paths.allSatisfy { Terminal.isFile($0) }
    guard isReadableAgain, haveSecrets else { return }
    let search = MidwaySearch(isAlone: groups.count == 1)
    try pass(makeInspector(named, search, most: .max)) { engine in
      PacketFilterSink(
        engine, try openPacketFilter(), nil, expression: request.filter, search: search)
    }
    if !search.isMidway { return }
    let whole = makeInspector(named, Selection(), most: .max, collectsNames: true)
    try pass(whole)
    foresight.names = whole.foreseen
  }
}
