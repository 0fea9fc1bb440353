// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapSources

/// The text of a file that somebody wrote by hand.
enum YAMLFile {
  struct Failure: Error {
    /// One line: which file, where in it, what is wrong, what is allowed.
    var text: String
  }

  /// Nobody writes more by hand.
  private static let mostBytes = 1 << 20

  /// - Parameter what: what the file has, as `names`.
  static func text(_ path: String, _ what: String) throws(Failure) -> String {
    var bytes: [UInt8] = []
    do {
      let reader = try FileReader(path: path)
      var buffer = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
      reading: while true {
        switch try reader.read(into: &buffer, most: buffer.count) {
        case .octets(let count): bytes += buffer[..<count]
        case .interrupted, .idle, .restarted, .truncated: continue
        case .end: break reading
        }
        if bytes.count > mostBytes {
          throw Failure(text: "\(path): is larger than 1 MiB, which no file of \(what) is")
        }
      }
    } catch let error as InputError {
      let isFolder = error.reason == .isDirectory
      throw Failure(
        text: isFolder ? "\(path): is a directory; name a file of \(what)" : error.description)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(text: "\(path): cannot be read")
    }
    if let offset = UTF8.firstInvalid(in: bytes.span.bytes) {
      let before = String(decoding: bytes[..<offset], as: Unicode.UTF8.self)
      let place = YAMLProblem(after: before, "a byte that is not UTF-8")
      throw Failure(text: "\(path):\(place.line):\(place.column): \(place.text)")
    }
    return String(decoding: bytes, as: Unicode.UTF8.self)
  }

  /// Reads a file without which there is nothing to do: complains of what is wrong in it.
  ///
  /// - Parameter what: what the file has, as `expectations`.
  static func read<Result>(
    _ path: String, _ what: String, _ body: (String) throws(YAMLProblem) -> Result
  ) throws(ExitCode) -> Result {
    let text: String
    do {
      text = try Self.text(path, what)
    } catch {
      Terminal.report(error.text)
      throw ExitCode(2)
    }
    do {
      return try body(text)
    } catch {
      Terminal.report(
        "\(path):\(error.line):\(error.column): \(error.text)", picture: error.picture(in: text))
      throw ExitCode(2)
    }
  }
}
