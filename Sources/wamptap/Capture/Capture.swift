// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapSources
import TapTraffic

/// Opens what a run captures from and what it keeps packets in, and says why that does not work.
struct Capture {
  let request: Request
  let isQuiet: Bool

  /// Opens the interfaces, and gives up the rights that this took.
  func open() throws -> [LiveSource] {
    var sources: [LiveSource] = []
    for name in request.interfaces {
      do {
        sources.append(try LiveSource(name, request.settings))
      } catch {
        throw report(error)
      }
    }
    // A run that only reads files keeps the rights of its caller, those of sudo too; it gives up
    // rights that it has from the program's file (set-user-id).
    if request.isLive || request.user != nil || !Privileges.areOwn {
      do {
        try Privileges.drop(to: request.user)
      } catch {
        Terminal.report(error.text)
        throw ExitCode(2)
      }
    }
    try dropCapabilities()
    return sources
  }

  /// Gives up the capabilities of the program's file, which are for opening interfaces only.
  func dropCapabilities() throws {
    do {
      try Privileges.dropCapabilities()
    } catch {
      Terminal.report(error.text)
      throw ExitCode(2)
    }
  }

  /// The filter of packets that come from files; nil for none.
  func openFilter() throws -> PacketFilter? {
    if request.isLive || request.filter.isEmpty { return nil }
    do {
      return try PacketFilter(request.filter)
    } catch {
      throw report(error)
    }
  }

  /// The file that keeps packets; nil for none.
  ///
  /// - Parameter inputs: files that must not be written over.
  func openFile(besides inputs: [String]) throws -> CaptureFile? {
    guard let path = request.path else { return nil }
    do {
      return try CaptureFile(
        path, request.rotation, program: Wamptap.configuration.version, inputs: inputs,
        mostSecretBytes: Limits.standard.keptSecretBytes)
    } catch {
      throw Self.report(error)
    }
  }

  /// Says what is captured, once nothing is wrong with what was asked.
  func announce(_ sources: [LiveSource]) {
    if isQuiet { return }
    // Still root: `-Z root` was not given, and the caller is root itself, not a user behind sudo.
    var asRoot =
      request.user == nil && Privileges.isRoot ? ", as root ('-Z USER' gives up its rights)" : ""
    for source in sources {
      let filter = request.filter.isEmpty ? "" : ", filter '\(request.filter)'"
      Terminal.report("capturing on \(source.name)\(filter)\(asRoot); Control-C ends it")
      asRoot = ""
      if let warning = source.warning { Terminal.report("\(source.name): \(warning)") }
    }
  }

  /// - Returns: what the program is to exit with.
  func report(_ error: CaptureError) -> ExitCode {
    Terminal.report(error.description)
    switch error {
    case .notPermitted:
      let remedies = CapturePermission.remedies(
        interfaces: request.interfaces, filter: request.filter,
        words: Array(CommandLine.arguments.dropFirst()))
      for line in remedies { Terminal.report(line) }
      return ExitCode(2)
    case .badFilter: return ExitCode(64)
    default: return ExitCode(2)
    }
  }

  static func report(_ failure: CaptureFile.Failure) -> ExitCode {
    switch failure {
    case .brokenPipe: return ExitCode(0)
    case .isInput(let path):
      Terminal.report("\(path): is read, and would be written over; choose another name")
      return ExitCode(64)
    case .cannotWrite(let path, let reason):
      let hint =
        Terminal.environment("SUDO_UID") == nil || Privileges.isRoot
        ? "" : " (the user who ran sudo; '-Z root' stays root)"
      Terminal.report("\(path): cannot be written: \(reason)\(hint)")
      return ExitCode(2)
    }
  }
}
