// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes

/// A file that a check writes beside its output.
enum ReportFile {
  /// - Parameter inputs: files that are read, which it must not replace.
  static func write(_ text: inout TextBuffer, to path: String, besides inputs: [String]) throws {
    do {
      let output = try Output(path: path, inputs: inputs)
      do {
        try output.flush(&text)
        try output.close()
      } catch {
        output.discard()
        throw error
      }
    } catch Output.Failure.brokenPipe {
      return
    } catch Output.Failure.isInput(let path) {
      Terminal.report("\(path): is read, and would be replaced; choose another name")
      throw ExitCode(64)
    } catch Output.Failure.cannotWrite(let path, let reason) {
      Terminal.report("\(path): cannot be written: \(reason)")
      throw ExitCode(2)
    } catch {
      Terminal.report("\(path): cannot be written")
      throw ExitCode(2)
    }
  }
}
