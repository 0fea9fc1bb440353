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
  /// - Parameter live: the file that has kept the packets of a live capture; nil where files were
  ///   read.
  func save(_ named: Names, from live: String?) throws {
    guard let saving, let path = saving.path, let text = filtering?.filter else { return }
    if let live {
      // The capture may have been ended by a signal, and this is to be done all the same.
      Interruption.arm()
      let isTemporary = live == "\(path).part"
      defer { if isTemporary { unlink(live) } }
      var request = Request(names: [live], files: 1)
      request.choice = self.request.choice
      request.dialect = self.request.dialect
      return try Run(
        request, output: output, stream: try StreamOptions.parse([]), keyLog: keyLog,
        naming: naming, filtering: filtering, saving: saving
      ).save(named, from: nil)
    }
    if !read.allSatisfy({ Terminal.isFile($0) }) || read.isEmpty {
      Terminal.complain("--save reads its captures again, so it takes files")
      throw ExitCode(64)
    }
    let filter = try loadFilter(saving.keep == .exchange ? "exchange(\(text))" : text, named)
    let nowhere = try Output(path: nil, inputs: [], isPrivate: false)
    try prepare(filter.filter.passes, named, nowhere, filter.collector)
    let saved = try find(filter, named, saving.keep, nowhere)
    try write(saved, to: path, nowhere)
  }

  private func find(
    _ filter: FilterRun, _ named: Names, _ extent: SavedExtent, _ nowhere: Output
  ) throws -> SavedPackets {
    var engine: Engine?
    let saved = SavedPackets(extent, limits) { engine.map { $0.lastConversation } ?? 0 }
    let inspector = makeInspector(
      named, filter.renderer(around: SavingCollector(saved)), most: stream.count ?? .max)
    let reader = Engine(inspector, limits: limits, dialect: request.dialect, successions: groups)
    engine = reader
    defer { engine = nil }
    try follow(try openKeyLogs(), onto: reader, isQuiet: true)
    let sink = PacketFilterSink(
      reader, try openPacketFilter(), nil, expression: request.filter, selection: saved)
    try again(inspector, nowhere, onto: sink)
    reader.finish(nil)
    saved.finish()
    if !sink.hasPackets {
      Terminal.complain("\(shownInputs[0]): has no packets, so there is nothing to save")
      throw ExitCode(2)
    }
    if saved.isFull {
      Terminal.complain("only the first \(limits.savedPackets) packets are saved from")
    }
    return saved
  }

  private func write(_ saved: SavedPackets, to path: String, _ nowhere: Output) throws {
    let file: CaptureFile
    do {
      file = try CaptureFile(
        path, CaptureFile.Rotation(), program: Wamptap.configuration.version,
        inputs: read + keyLog.files)
    } catch {
      throw Capture.complain(error)
    }
    for log in try openKeyLogs() {
      log.readOn { secrets in secrets.withUnsafeBytes { file.secrets($0) } }
    }
    let sink = PacketFilterSink(
      DiscardSink(), try openPacketFilter(), file, expression: request.filter, selection: saved)
    let inspector = makeInspector(Names(), Selection(), most: .max)
    try again(inspector, nowhere, onto: sink)
    file.close([])
    if let failure = file.failure { throw Capture.complain(failure) }
    if !output.quiet {
      let count = file.packets
      Terminal.complain("\(path): \(count) packet\(count == 1 ? "" : "s") saved")
    }
  }

  private func openPacketFilter() throws -> PacketFilter? {
    try Capture(request: request, isQuiet: true).openFilter()
  }

  private func again(
    _ inspector: Inspector, _ nowhere: Output, onto sink: PacketFilterSink
  ) throws {
    var reading = makeReading(inspector, nowhere, nil)
    // The first reading has complained.
    reading.isQuiet = true
    try reading.run(onto: sink)
  }
}
