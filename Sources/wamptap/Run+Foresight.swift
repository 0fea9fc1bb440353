// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapNames

/// A capture that begins in the middle of its sessions is read twice: what becomes known late, as
/// the topic of a subscription, is shown from the first message on. Live, nobody can know it.
extension Run {
  func foresee(_ named: Names) throws {
    let areFiles = names.indices.allSatisfy { !request.isPasted($0) && Terminal.isFile(names[$0]) }
    // A key log that is a pipe can be read once.
    let haveSecrets = keyLog.paths.allSatisfy { Terminal.isFile($0) }
    if request.isLive || stream.follows || !areFiles || !haveSecrets { return }
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
