// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames
import TapSources

/// The file of names: where it is looked for, and its text.
enum NamesFile {
  struct Failure: Error {
    /// One line: which file, where in it, what is wrong, what is allowed.
    var text: String
  }

  /// Nobody writes more by hand.
  private static let mostBytes = 1 << 20

  /// The first that there is: beside the evidence, then in the folder of the user's settings.
  ///
  /// - Parameter evidence: names of files; `-` has none beside it.
  static func found(beside evidence: [String]) -> String? {
    for name in evidence where name != "-" {
      let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
      let path = "\(folder)wamptap.yaml"
      if Terminal.isFile(path) { return path }
    }
    return usual.flatMap { Terminal.isFile($0) ? $0 : nil }
  }

  /// The file of the user's settings, whether or not there is one.
  static var usual: String? { settings.map { "\($0)/wamptap/names.yaml" } }

  /// As the XDG Base Directory Specification has it: what is no absolute path is passed over.
  private static var settings: String? {
    if let folder = Terminal.environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder
    }
    guard let home = Terminal.environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.config"
  }

  static func read(_ path: String) throws(Failure) -> Names {
    let text = try text(path)
    do {
      return try NamesReader.names(text)
    } catch {
      throw Failure(text: "\(path):\(error.line):\(error.column): \(error.text)")
    }
  }

  private static func text(_ path: String) throws(Failure) -> String {
    if path.isEmpty {
      throw Failure(text: "--names takes the name of a file, and got an empty one")
    }
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
          throw Failure(text: "\(path): is larger than 1 MiB, which no file of names is")
        }
      }
    } catch let error as InputError {
      let isFolder = error.reason == .isDirectory
      throw Failure(
        text: isFolder ? "\(path): is a directory; name a file of names" : error.description)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(text: "\(path): cannot be read")
    }
    if let offset = UTF8.firstInvalid(in: bytes.span.bytes) {
      let before = String(decoding: bytes[..<offset], as: Unicode.UTF8.self)
      let place = NamesReader.Problem(after: before, "a byte that is not UTF-8")
      throw Failure(text: "\(path):\(place.line):\(place.column): \(place.text)")
    }
    return String(decoding: bytes, as: Unicode.UTF8.self)
  }
}
