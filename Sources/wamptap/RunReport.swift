// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapInspector
import TapSources
import TapTraffic

/// What a run says on standard error once it has read all, and its exit status.
struct RunReport {
  let request: Request
  /// Evidence that is read one after the other, by its numbers among the names.
  let groups: [[Int]]
  let isQuiet: Bool

  /// An input as people call it.
  private func called(_ number: Int) -> String {
    let name = request.names[number]
    return request.isPasted(number) ? "argument" : name == "-" ? "standard input" : name
  }

  /// How evidence was read that does not say itself what it is.
  func reportRecognitions(_ engine: Engine) {
    if isQuiet { return }
    for (input, what) in engine.recognitions {
      let log = groups.first { $0.contains(Int(input)) } ?? [Int(input)]
      // Of more than four files of a rotated log, only the oldest and the newest are named.
      let shown = log.count > 4 ? [log[0], log[log.count - 1]] : log
      let called = shown.map(called).joined(separator: log.count > 4 ? " … " : ", ")
      Terminal.report("\(called): \(what)")
    }
  }

  /// Pasted messages and bytes that are none.
  func reportRefusals(of engine: Engine) {
    for refusal in engine.refusals {
      let number = Int(refusal.input)
      let name = request.isPasted(number) ? "" : "\(called(number)): "
      let place = refusal.offset > 0 ? " (at byte \(refusal.offset))" : ""
      Terminal.report("\(name)\(refusal.complaint)\(place): \(refusal.reason)")
    }
    if engine.refusalCount > engine.refusals.count {
      Terminal.report("and \(engine.refusalCount - engine.refusals.count) more that are not")
    }
  }

  /// Packets that could not be filtered or kept.
  func throwIfPacketsAreLost(_ filtered: PacketFilterSink?, _ file: CaptureFile?) throws {
    if let failure = filtered?.failure {
      Terminal.report("\(failure.description); its packets are left out")
      throw ExitCode(2)
    }
    if let octets = file?.omittedSecretBytes, octets > 0 {
      Terminal.report(
        "there are more TLS secrets than each file can have: \(octets) bytes of them are only in"
          + " the file where they came")
    }
    if let failure = file?.failure { throw Capture.report(failure) }
  }

  func throwExitStatus(_ summary: Summary, _ engine: Engine, failures: Int) throws {
    if !request.filter.isEmpty && summary.messages > 0 && !summary.hasPackets {
      Terminal.report("-f chooses packets, and there are none in what was read: all is shown")
    }
    for damage in summary.damages {
      Terminal.report("\(called(Int(damage.origin.input))): \(damage.text)")
    }
    if failures > 0 || engine.refusalCount > 0 { throw ExitCode(2) }
    // Text in an argument was meant to be a message.
    let isPastedOnly = request.names.indices.allSatisfy {
      request.isPasted($0) && Pasted.isText(request.names[$0])
    }
    if summary.messages == 0 && !summary.hasPackets && isPastedOnly { throw ExitCode(2) }
    let hasTraffic = summary.messages > 0 || summary.hasPackets
    // An error without a single packet or message is about the file: nothing of it could be read.
    if !hasTraffic && summary.errors > 0 {
      Terminal.report("\(request.names.joined(separator: ", ")): nothing of it could be read")
      throw ExitCode(2)
    }
    if !summary.damages.isEmpty { throw ExitCode(2) }
    if hasTraffic { return }
    // Of a text without messages, it was already reported what was looked for.
    let isSaid = !isQuiet && !engine.recognitions.isEmpty
    if summary.warnings + summary.notes == 0 && !isSaid {
      let names = request.names.joined(separator: ", ")
      Terminal.report(
        request.filter.isEmpty
          ? "\(names): no packet and no message in it"
          : "\(names): no packet in it matches the filter '\(request.filter)'")
    }
  }
}
