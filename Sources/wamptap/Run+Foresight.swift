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
    _ = try read(named, isWhole: false)
    if foresight.isMidway { foresight.names = try read(named, isWhole: true).foreseen }
  }

  private func read(_ named: Names, isWhole: Bool) throws -> Inspector {
    let inspector = makeInspector(
      named, MidwaySearch(foresight, isWhole: isWhole), most: .max, collectsNames: isWhole)
    let nowhere = try Output(path: nil, inputs: [], isPrivate: false)
    try pass(inspector, nowhere, search: isWhole ? nil : foresight)
    return inspector
  }
}
