// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapInputs
import TapInspector
import TapRender
import TapSources
import TapTraffic

/// The main loop: chunks in, text out; everything between happens inside one call.
struct Run {
  private let names: [String]
  /// How many of the names were given as files, and are never taken for pasted text.
  private let files: Int
  private let output: OutputOptions
  private let limits = Limits()

  init(names: [String], files: Int, output: OutputOptions) {
    (self.names, self.files, self.output) = (names, files, output)
  }

  func run() throws {
    Terminal.ignoreBrokenPipes()
    let sink: Output
    do {
      sink = try Output(path: output.path, inputs: names)
    } catch Output.Failure.isInput(let path) {
      Terminal.complain("\(path): is read, and would be replaced; choose another name")
      throw ExitCode(64)
    } catch Output.Failure.cannotWrite(let path, let reason) {
      Terminal.complain("\(path): cannot be written: \(reason)")
      throw ExitCode(2)
    }
    let inspector = makeInspector()
    let ground = Ground(inspector, limits: limits)
    var hasFailed = false
    do {
      for (number, name) in names.enumerated() {
        do {
          try read(name, number, ground, inspector, sink)
        } catch let error as InputError {
          hasFailed = true
          try inspector.withText { try sink.flush(&$0) }
          Terminal.complain(error.description)
        }
      }
      ground.finish()
      tellRecognitions(ground)
      try inspector.withText { try sink.flush(&$0) }
      try sink.close()
    } catch Output.Failure.brokenPipe {
      return
    } catch Output.Failure.cannotWrite(let path, let reason) {
      sink.discard()
      Terminal.complain("\(path): cannot be written: \(reason)")
      throw ExitCode(2)
    }
    for refusal in ground.refusals {
      let number = Int(refusal.input)
      let name = isPasted(names[number], number) ? "" : "\(called(number)): "
      let place = refusal.offset > 0 ? " (at byte \(refusal.offset))" : ""
      Terminal.complain("\(name)\(refusal.expected)\(place): \(refusal.reason)")
    }
    if ground.refusalCount > ground.refusals.count {
      Terminal.complain("and \(ground.refusalCount - ground.refusals.count) more that are not")
    }
    if hasFailed || ground.refusalCount > 0 { throw ExitCode(2) }
    let summary = inspector.summary
    // An error without a single packet or message is about the file: nothing of it could be read.
    if summary.messages == 0 && !summary.hasPackets && summary.errors > 0 { throw ExitCode(2) }
    let findings = summary.errors + summary.warnings + summary.notes
    if summary.messages == 0 && !summary.hasPackets && findings == 0 {
      Terminal.complain("\(names.joined(separator: ", ")): no packet and no message in it")
    }
  }

  /// How evidence was read that does not say itself what it is.
  private func tellRecognitions(_ ground: Ground) {
    if output.quiet { return }
    for (input, what) in ground.recognitions {
      Terminal.complain("\(called(Int(input))): \(what)")
    }
  }

  /// An input as people call it.
  private func called(_ number: Int) -> String {
    let name = names[number]
    return isPasted(name, number) ? "argument" : name == "-" ? "standard input" : name
  }

  private func makeInspector() -> Inspector {
    let isColored =
      switch output.color {
      case .always: true
      case .never: false
      case .auto: output.path == nil && Terminal.wantsColor
      }
    let line = output.line(
      width: output.path == nil ? Terminal.width : nil, isColored: isColored)
    var options = Inspector.Options()
    options.showsSecrets = output.showSecrets
    options.limits = limits
    let inputs = names.enumerated().map { number, name in
      isPasted(name, number) ? "argument" : name
    }
    return Inspector(output.renderer!.make(line, inputs), options)
  }

  /// A message or bytes as an argument: no file of that name.
  private func isPasted(_ name: String, _ number: Int) -> Bool {
    number >= files && Evidence.isPasted(name)
  }

  private func read(
    _ name: String, _ number: Int, _ ground: Ground, _ inspector: Inspector, _ sink: Output
  ) throws {
    var decoder = Decoder(path: name, number: UInt16(clamping: number), limits: limits)
    if isPasted(name, number) {
      let bytes = ContiguousArray(name.utf8)
      if name.contains("[") || Evidence.isBytes(name) {
        try decoder.receive(bytes.span.bytes, ground)
      } else {
        // An object is no WAMP, and the dialect says why.
        return ground.message(bytes.span.bytes, Delivery(Origin(), .text))
      }
    } else {
      if number >= files && name != "-" && !Terminal.exists(name) {
        throw InputError(path: name, .neitherFileNorEvidence)
      }
      // What arrives as it happens is shown as it happens.
      let isLive = name == "-"
      try FileSource(path: name).read { chunk in
        try decoder.receive(chunk, ground)
        if isLive || inspector.textCount >= Output.threshold {
          try inspector.withText { try sink.flush(&$0) }
        }
      }
    }
    try decoder.finish(ground)
    if inspector.textCount >= Output.threshold { try inspector.withText { try sink.flush(&$0) } }
  }
}
