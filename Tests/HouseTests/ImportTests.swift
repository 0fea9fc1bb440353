// SPDX-License-Identifier: Apache-2.0
import Testing

/// Who may import whom: the table of CONTRIBUTING.md, Package.swift and the sources agree.
@Suite("Imports") struct ImportTests {
  private let rings: Rings

  init() throws { rings = try Rings() }

  /// `TapHTTP imports TapLibraries`, by the file that says so.
  private static let imports: [(file: Project.File, module: String)] = Project.sources.flatMap {
    file in
    // Regular expressions are slow: a line that has not the word is not asked.
    file.lines.filter { $0.contains("import ") }.compactMap { line in
      let words = /^\s*(?:@\w+\s+)*(?:public |package |internal |fileprivate |private )?import/
      guard let start = line.prefixMatch(of: words) else { return nil }
      let names = line[start.range.upperBound...].split(separator: " ")
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "typealias"]
      guard let path = names.first(where: { !kinds.contains(String($0)) }) else { return nil }
      return (file, String(path.split(separator: ".")[0]))
    }
  }

  /// What comes with the system or the language.
  private static let systems: Set<String> = ["Glibc", "Musl", "Darwin", "Synchronization"]

  @Test("the table was read") func table() {
    #expect(rings.ring.filter { $0.value == "ring 0" }.keys.sorted() == ["TapBytes", "TapTraffic"])
    #expect(rings.ring.filter { $0.value == "ring 1" }.count >= 8)
    #expect(Set(Project.sources.map(\.target)).subtracting(rings.ring.keys).sorted() == [])
    #expect(Self.imports.count > 100)
  }

  @Test("every import is declared in Package.swift") func declared() {
    for (file, module) in Self.imports where !Self.systems.contains(module) {
      #expect(
        rings.declared[file.target]?.contains(module) == true,
        "\(file.path): \(module) is not declared for \(file.target)")
    }
  }

  @Test("every import is allowed by the table") func allowed() throws {
    for (file, module) in Self.imports where !Self.systems.contains(module) {
      let allowed = try #require(rings.allowed[file.target])
      #expect(allowed?.contains(module) ?? true, "\(file.path): \(module)")
    }
  }

  @Test("Package.swift declares no more than the table allows") func manifest() {
    for (target, declared) in rings.declared {
      guard let allowed = rings.allowed[target], let allowed else { continue }
      // Product and package stand side by side in a manifest.
      let modules = declared.filter {
        $0.hasPrefix("Tap")
          || [
            "CCapabilities", "CZlib", "CLanes", "CPcap", "CLibcrypto", "CLibyaml", "CNghttp2",
            "Histogram", "HeapModule", "DequeModule",
          ].contains($0)
      }
      #expect(modules.subtracting(allowed).sorted() == [], "declared for \(target)")
    }
  }

  @Test("layers are blind to each other") func blindness() {
    let shared = [
      "TapEncodings": [
        "TapDialects", "TapDumps", "TapFilter", "TapFraming", "TapLogs", "TapNames",
      ],
      // Frames of RawSocket are cut as other messages of a stream are.
      "TapFraming": ["TapRawSocket"],
      "TapInflate": ["TapCaptures", "TapHTTP", "TapWebSocket"],
      "TapLibraries": ["TapTLS", "TapHTTP", "TapDialects"],
      // Expectations are filters.
      "TapFilter": ["TapCheck"],
      // A filter reads paths as a names file writes them.
      "TapNames": ["TapFilter"],
      // What all kinds of input share.
      "TapEvidence": ["TapCaptures", "TapDumps", "TapExports", "TapInputs", "TapLogs"],
      // A dump may be one of a capture file.
      "TapCaptures": ["TapDumps", "TapInputs"],
      // The registry names all kinds.
      "TapDumps": ["TapInputs"], "TapExports": ["TapInputs"], "TapLogs": ["TapInputs"],
      // A dialect hands its rules a table.
      "TapSessions": ["TapDialects"],
    ]
    for (file, module) in Self.imports
    where rings.ring[file.target] == "ring 1" && rings.ring[module] == "ring 1" {
      #expect(shared[module]?.contains(file.target) == true, "\(file.path): \(module)")
    }
  }

  @Test("no Foundation, no printing, no concurrency below the rim") func absences() {
    for (file, module) in Self.imports {
      #expect(!module.hasPrefix("Foundation"), "\(file.path): \(module)")
    }
    for file in Project.sources {
      let isInner = rings.ring[file.target]?.hasPrefix("ring") == true
      for (number, line) in file.code {
        if line.contains("rint(") {
          let prints = line.contains(/(?:^|[^\w.])(?:debugPrint|print)\(/)
          #expect(!prints, "\(file.path):\(number): prints")
        }
        if isInner && (line.contains("async") || line.contains("await")) {
          let waits = line.contains(/\b(?:async|await)\b/)
          #expect(!waits, "\(file.path):\(number): is asynchronous")
        }
      }
    }
  }
}
