// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapFilter
import TapInspector
import TapNames
import TapSources
import TapTraffic

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `--save`: the capture is read once more to find the packets of what matches, and once to write
/// them.
extension Run {
  /// Before anything is read: `--save` reads again.
  func checkSaving() throws {
    guard let path = options.saving?.path else { return }
    if path == "-" && (options.output.path ?? "-") == "-" {
      Terminal.report("--save - puts packets where the text goes; choose a file for it by -O")
      throw ExitCode(64)
    }
    let isOneFile = request.rotation.bytes == nil && request.rotation.seconds == nil
    if request.isLive && (!isOneFile || request.path == "-") {
      Terminal.report("--save needs all packets in one file, so it goes without -C, -G and -w -")
      throw ExitCode(64)
    }
    if request.isLive { return }
    if try !keepForReadingAgain() {
      Terminal.report("--save reads captures again, so it takes files")
      throw ExitCode(64)
    }
  }

  func save(_ named: Names) throws {
    guard let saving = options.saving, let path = saving.path, let text = options.filtering?.filter
    else { return }
    if request.isLive { return try saveKept(named) }
    let filter = try loadFilter(saving.keep == .exchange ? "exchange(\(text))" : text, named)
    try prepare(filter.passes, named, filter.collector)
    try write(try find(filter, named, saving.keep), to: path)
  }

  func removePart() {
    if let part { unlink(FileName.system(part)) }
  }

  /// Saves from the file that has kept the packets of a live capture.
  private func saveKept(_ named: Names) throws {
    guard let kept = request.path else { return }
    // The capture may have been ended by a signal, and this is to be done all the same.
    Interruption.arm()
    var request = Request(names: [kept], files: 1)
    (request.choice, request.dialect) = (self.request.choice, self.request.dialect)
    var options = options
    options.stream = try StreamOptions.parse([])
    try Run(request, options).save(named)
  }

  private func find(
    _ filter: FilterRun, _ named: Names, _ extent: SavedExtent
  ) throws -> SavedPackets {
    var engine: Engine?
    let saved = SavedPackets(extent, limits) { engine.map { $0.lastConversation } ?? 0 }
    let inspector = makeInspector(
      named, filter.renderer(around: SavingCollector(saved)), most: options.stream.count ?? .max)
    try pass(inspector) { reader in
      engine = reader
      return PacketFilterSink(
        reader, try openPacketFilter(), nil, expression: request.filter, selection: saved)
    }
    engine = nil
    saved.finish()
    if saved.isEmpty {
      Terminal.report("\(shownInputs[0]): has no packets, so there is nothing to save")
      throw ExitCode(2)
    }
    if saved.isFull {
      Terminal.report("--save has looked at the first \(limits.savedPackets) packets only")
    }
    return saved
  }

  private func write(_ saved: SavedPackets, to path: String) throws {
    let file: CaptureFile
    do {
      file = try CaptureFile(
        path, CaptureFile.Rotation(), program: Wamptap.configuration.version,
        inputs: read + options.keyLog.files)
    } catch {
      throw Capture.report(error)
    }
    for log in try openKeyLogs() {
      log.readOn { secrets in secrets.withUnsafeBytes { file.secrets($0) } }
    }
    let sink = PacketFilterSink(
      DiscardSink(), try openPacketFilter(), file, expression: request.filter, selection: saved)
    try reread(makeInspector(Names(), Selection(), most: .max), onto: sink)
    file.close([])
    if let failure = file.failure { throw Capture.report(failure) }
    if !options.output.quiet {
      let count = file.packets
      Terminal.report("\(path): \(count) packet\(count == 1 ? "" : "s") saved")
    }
  }
}
