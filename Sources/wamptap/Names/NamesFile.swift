// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames
import TapSources

/// The file of names: where it is looked for, and its text.
enum NamesFile {
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

  static func read(_ path: String) throws(YAMLFile.Failure) -> Names {
    if path.isEmpty {
      throw YAMLFile.Failure(text: "--names takes the name of a file, and got an empty one")
    }
    let text = try YAMLFile.text(path, "names")
    do {
      return try NamesReader.names(text)
    } catch {
      throw YAMLFile.Failure(text: "\(path):\(error.line):\(error.column): \(error.text)")
    }
  }
}
