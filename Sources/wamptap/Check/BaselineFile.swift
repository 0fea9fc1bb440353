// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapCheck
import TapLibraries

/// The file of a baseline. JSON is YAML, so that the reader of expectations reads this.
enum BaselineFile {
  static func read(_ path: String) throws -> Baseline {
    try YAMLFile.read(path, "known findings", baseline)
  }

  private static func baseline(_ text: String) throws(YAMLProblem) -> Baseline {
    var baseline = Baseline()
    guard let root = try YAMLText.root(of: text) else { return baseline }
    for member in try YAMLText.members(of: root, "a baseline", ["version", "entries"]) {
      if member.key == "version" {
        let version = try YAMLText.string(member.value, "1")
        if version != "1" {
          throw YAMLProblem(member.value, "this reads version 1, not \(version)")
        }
        continue
      }
      for node in try YAMLText.list(member.value, "'entries' is a list") {
        let keys = ["code", "subject", "count", "fingerprint"]
        let members = try YAMLText.members(of: node, "an entry", keys)
        let fingerprint = try YAMLText.string(
          try YAMLText.need("fingerprint", of: members, in: node, "an entry"), "a fingerprint")
        let countNode = try YAMLText.need("count", of: members, in: node, "an entry")
        guard let count = UInt64(try YAMLText.string(countNode, "a number")) else {
          throw YAMLProblem(countNode, "expected a number")
        }
        func text(_ key: String) -> String {
          members.first { $0.key == key }?.value.scalar ?? ""
        }
        baseline.entries[fingerprint] = Baseline.Entry(
          code: text("code"), subject: text("subject"), count: count)
      }
    }
    return baseline
  }
}
