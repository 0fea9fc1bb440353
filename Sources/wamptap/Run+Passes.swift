// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapInspector
import TapNames
import TapSources
import TapTraffic

/// Files are read more than once if later messages decide on earlier ones. The readings here are
/// the additional ones, which print nothing.
extension Run {
  /// Whether all evidence is in files that can be read more than once.
  var isReadableAgain: Bool {
    !request.isLive && !options.stream.follows
      && names.indices.allSatisfy { !request.isPasted($0) && isFile(names[$0]) }
  }

  private func isFile(_ name: String) -> Bool {
    name == "-" ? StandardInput.isFile : Terminal.isFile(name)
  }

  /// Sees to it that all can be read again: what comes through a pipe is kept, to its end or to
  /// Control-C.
  ///
  /// - Returns: false where it cannot.
  func keepForReadingAgain() throws -> Bool {
    if request.isLive || options.stream.follows || read.isEmpty { return false }
    do {
      if read.contains("-") {
        Interruption.arm(limit: options.stream.span?.seconds)
        let isWhole = try StandardInput.keep(wake: Interruption.wake) {
          Interruption.drain()
          return Interruption.isOver
        }
        if !isWhole { foresight.stop = Interruption.isTimeUp ? .time : .interrupt }
      }
    } catch {
      Terminal.report(error.description)
      throw ExitCode(2)
    }
    return read.allSatisfy(isFile)
  }

  /// One reading, decoded.
  ///
  /// - Parameter sink: what packets pass before the engine; nil for the packet filter alone.
  func pass(
    _ inspector: Inspector, through sink: ((Engine) throws -> PacketFilterSink)? = nil
  ) throws {
    let engine = Engine(
      inspector, limits: limits, dialect: request.dialect, successions: groups, ordersByTime: true)
    try follow(try openKeyLogs(), onto: engine, isQuiet: true)
    findSecretsAhead(for: engine)
    let filter = try openPacketFilter()
    var destination: any EvidenceSink = engine
    if let sink {
      destination = try sink(engine)
    } else if filter != nil {
      destination = PacketFilterSink(engine, filter, nil, expression: request.filter)
    }
    // The sink may ask the engine about each packet, so that the engine must not run ahead of it.
    let stop = try reread(inspector, sink == nil ? engine : nil, onto: destination)
    engine.finish(stop)
  }

  /// A file may have TLS secrets behind the packets that they open, as where they were added when
  /// it was complete. It is read ahead for them when one is missing.
  func findSecretsAhead(for engine: Engine) {
    // Standard input has one place, which is that of the reading under way.
    if !isReadableAgain || read.contains("-") { return }
    engine.findSecretsAhead { sink in
      let nobody = makeInspector(Names(), Selection(), most: .max)
      // The reading under way reports what cannot be read.
      _ = try? reread(nobody, onto: sink)
    }
  }

  /// Reads everything once more without reporting errors: the reading that shows messages does.
  ///
  /// - Parameter engine: what may run ahead of the inspector; nil where it may not.
  /// - Returns: why it ended before the end.
  @discardableResult
  func reread(
    _ inspector: Inspector, _ engine: Engine? = nil, onto sink: any EvidenceSink
  ) throws -> Summary.Stop? {
    let nowhere = try Output(path: nil, inputs: [], isPrivate: false)
    var reading = makeReading(inspector, engine, nowhere, nil)
    reading.isQuiet = true
    try reading.run(onto: sink)
    return reading.stop
  }

  /// The filter of packets that come from files; nil for none.
  func openPacketFilter() throws -> PacketFilter? {
    try Capture(request: request, isQuiet: true).openFilter()
  }
}
