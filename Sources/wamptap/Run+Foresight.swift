// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapNames

/// A capture that begins in the middle of its sessions is read twice: what becomes known late, as
/// the topic of a subscription, is shown from the first message on. Live, nobody can know it.
extension Run {
  /// Messages after which connections that were there before are seen.
  private static let searched: UInt64 = 5000

  func foresee(_ named: Names) throws {
    let areFiles = names.indices.allSatisfy { !request.isPasted($0) && Terminal.isFile(names[$0]) }
    // A key log that is a pipe can be read once.
    let haveSecrets = keyLog.paths.allSatisfy { Terminal.isFile($0) }
    if request.isLive || stream.follows || !areFiles || !haveSecrets { return }
    _ = try read(named, most: Self.searched)
    if foresight.isMidway { foresight.names = try read(named, most: .max).foreseen }
  }

  private func read(_ named: Names, most: UInt64) throws -> Inspector {
    let inspector = makeInspector(
      named, MidwaySearch(foresight), most: most, collectsNames: most == .max)
    let nowhere = try Output(path: nil, inputs: [], isPrivate: false)
    try pass(inspector, nowhere)
    return inspector
  }
}
