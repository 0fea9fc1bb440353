// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapInspector
import TapNames
import TapSources
import TapTraffic

/// The second reading of a capture, which writes it with what the first has found.
extension Run {
  /// Runs, and answers with what status the program would exit; all else is thrown.
  func status() throws -> Int32 {
    do {
      try run()
      return 0
    } catch let code as ExitCode where code.rawValue == 2 || code.rawValue == 1 {
      return code.rawValue
    }
  }

  /// - Parameter path: of the pcapng file; `-` for standard output.
  func annotate(_ path: String, with annotations: Annotations) throws {
    let file: CaptureFile
    do {
      file = try CaptureFile(
        path, CaptureFile.Rotation(), program: Wamptap.configuration.version, inputs: read)
    } catch {
      throw Capture.report(error)
    }
    let sink = PacketFilterSink(DiscardSink(), nil, file, expression: "", annotations: annotations)
    let inspector = makeInspector(
      Names(), AnnotationRenderer(options.output.line(width: nil, isColored: false), annotations),
      most: .max)
    try reread(inspector, onto: sink)
    file.close([])
    if let failure = file.failure { throw Capture.report(failure) }
    if annotations.omitted > 0 {
      Terminal.report("\(annotations.omitted) lines are too many, and beside no packet")
    }
    if annotations.unplaced > 0 && !options.output.quiet {
      Terminal.report("\(annotations.unplaced) lines are about no packet, and left out")
    }
    if !sink.hasPackets {
      Terminal.report("\(shownInputs[0]): has no packets, so there is nothing to annotate")
      throw ExitCode(2)
    }
  }
}
