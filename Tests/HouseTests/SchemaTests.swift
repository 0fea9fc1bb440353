// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// The schemas and the readers of YAML files say the same.
@Suite("Schemas") struct SchemaTests {
  static let files = [
    ("names", "Sources/wamptap/Names/NamesReader.swift"),
    ("check", "Sources/wamptap/Check/ExpectationsReader.swift"),
  ]

  @Test("has every key that its reader takes", arguments: files)
  func keys(file: String, reader: String) throws {
    let schema = try Program.run(["schema", file], in: Project.root)
    let object = try JSONSerialization.jsonObject(with: Data(schema.output.utf8))
    let described = Self.properties(of: object)
    var taken: Set<String> = []
    for list in try Project.text(reader).matches(of: /let keys = \[([^\]]*)\]/) {
      for key in list.1.matches(of: /"([^"]+)"/) { taken.insert(String(key.1)) }
    }
    #expect(!taken.isEmpty)
    #expect(taken.subtracting(described).isEmpty)
  }

  /// The names of members that a schema describes, at any depth.
  private static func properties(of value: Any) -> Set<String> {
    var names: Set<String> = []
    if let list = value as? [Any] { for item in list { names.formUnion(properties(of: item)) } }
    for (key, member) in value as? [String: Any] ?? [:] {
      if key == "properties", let members = member as? [String: Any] {
        names.formUnion(members.keys)
      }
      names.formUnion(properties(of: member))
    }
    return names
  }
}
