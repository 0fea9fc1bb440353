// SPDX-License-Identifier: Apache-2.0
import Testing

/// What every source file looks like.
@Suite("Files") struct FileTests {
  @Test("at most 400 lines") func length() {
    for file in Project.sources + Project.tests {
      #expect(file.lines.count - 1 <= 400, "\(file.path)")
    }
  }

  @Test("the licence first") func licence() {
    // A target without tests yet has a placeholder, since a target must have a file.
    for file in Project.sources + Project.tests where file.name != "Placeholder.swift" {
      #expect(file.lines[0] == "// SPDX-License-Identifier: Apache-2.0", "\(file.path)")
    }
  }

  @Test("at most 100 columns, and no tabs") func columns() {
    #expect(Project.sources.count > 80, "the sources were not found")
    for file in Project.sources {
      for (index, line) in file.lines.enumerated() {
        #expect(line.count <= 100, "\(file.path):\(index + 1): \(line.count) columns")
        #expect(!line.contains("\t"), "\(file.path):\(index + 1)")
        #expect(line.last?.isWhitespace != true, "\(file.path):\(index + 1): ends with a space")
      }
    }
  }
}
