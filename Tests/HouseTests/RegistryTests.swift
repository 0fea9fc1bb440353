// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What is there is also in the list of what there is.
@Suite("Registries") struct RegistryTests {
  /// What stands in `static let all … = […]` of a file.
  private func all(in path: String, list: String = "all") throws -> String {
    let text = try Project.text(path)
    let start = try #require(text.range(of: "static let \(list)"))
    let rest = text[start.upperBound...]
    let list = try #require(rest.range(of: "= ["))
    let behind = rest[list.upperBound...]
    let end = try #require(behind.range(of: "\n  ]") ?? behind.range(of: "]\n"))
    return String(behind[..<end.lowerBound])
  }

  @Test("every folder of a dialect is registered and has samples") func dialects() throws {
    let registered = try all(in: "Sources/TapDialects/Dialects.swift")
    let folders = Project.names(in: "Sources/TapDialects").filter {
      $0 != "Unclaimed" && Project.isFolder("Sources/TapDialects/\($0)")
    }
    #expect(folders.contains("WAMP"))
    for folder in folders {
      let types = Project.sources.filter { $0.path.hasPrefix("Sources/TapDialects/\(folder)/") }
        .flatMap { $0.text.matches(of: /(?:struct|class|enum) (\w+): (?:\w+, )*Dialect\b/) }
      #expect(!types.isEmpty, "\(folder) has no Dialect")
      for type in types {
        #expect(registered.contains("\(type.1)("), "\(type.1) is not in Dialects.all")
      }
      let samples = Project.names(in: "samples/\(folder.lowercased())")
      #expect(!samples.isEmpty, "\(folder) has no samples")
    }
  }

  @Test("every input is registered") func inputs() throws {
    let lists = ["TapInputs/Inputs", "TapExports/ExportInputs", "TapDumps/Notation"]
    let registered = try lists.map { try Project.text("Sources/\($0).swift") }.joined()
    let rooms: Set = ["TapCaptures", "TapDumps", "TapExports", "TapLogs"]
    let files = Project.sources.filter {
      rooms.contains($0.target) && $0.name.hasSuffix("Input.swift")
    }
    #expect(Set(files.map(\.target)) == rooms)
    for file in files {
      let type = file.name.dropLast(".swift".count)
      let isThere = registered.contains("\(type).self") || registered.contains("\(type)<")
      #expect(isThere, "\(type) is not in Inputs.all")
    }
  }

  /// What `-o` takes, of `show`, of `flow` and of `trace`.
  private func renderers() throws -> String {
    let path = "Sources/TapRender/Renderers.swift"
    return try ["all", "ladders", "traces"].map { try all(in: path, list: $0) }.joined()
  }

  @Test("every format is in the manual") func formats() throws {
    let registered = try renderers()
    let names = registered.matches(of: /name: "(\w+)"/).map { String($0.1) }
    #expect(names.contains("text") && names.contains("ndjson") && names.contains("mermaid"))
    let manual = try Project.text("man/wamptap.1")
    for name in names {
      let isNamed = try manual.contains(Regex(#"\n\.Cm \#(name)\b"#))
      #expect(isNamed, "\(name) is not in the manual")
    }
  }

  @Test("every renderer is a format") func rendererFiles() throws {
    let registered = try renderers()
    for file in Project.sources
    where file.target == "TapRender" && file.name.hasSuffix("Renderer.swift") {
      let type = file.name.dropLast(".swift".count)
      let isThere = registered.contains("\(type)(") || registered.contains("\(type).")
      #expect(isThere, "\(type) is not in Renderers.all")
    }
  }

  /// A call with a default would be dropped without notice by a sink that does not pass it on.
  @Test("every sink in front of the engine passes on every call") func calls() throws {
    let sink = try Project.text("Sources/TapTraffic/EvidenceSink.swift")
    let requirements = try #require(sink.components(separatedBy: "\nextension").first)
    let calls = requirements.matches(of: /\n  func (\w+)\(/).map { String($0.1) }
    #expect(calls.count >= 10)
    let lane = ["TapEvidence/TimelineLane", "TapEvidence/EvidenceEvent"]
    for paths in [lane, ["wamptap/Capture/PacketFilterSink"]] {
      let text = try paths.map { try Project.text("Sources/\($0).swift") }.joined()
      for call in calls { #expect(text.contains("func \(call)("), "\(paths): \(call)") }
    }
  }
}
