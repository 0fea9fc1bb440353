// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The table of CONTRIBUTING.md, and the imports that Package.swift declares.
struct Rings {
  /// `ring 0`, `rim`, or empty, by target.
  private(set) var ring: [String: String] = [:]
  /// What each target may import; nil for everything.
  private(set) var allowed: [String: Set<String>?] = [:]
  /// What Package.swift lists, by target.
  private(set) var declared: [String: Set<String>] = [:]

  init() throws {
    let rows = try Self.rows(Project.text("CONTRIBUTING.md"))
    for row in rows { ring[row.target] = row.ring }
    for row in rows { allowed[row.target] = expand(row.imports) }
    declared = try Self.declarations(Project.text("Package.swift"))
  }

  private struct Row {
    var target: String
    var ring: String
    var imports: String
  }

  /// `| **ring 1** `TapHTTP` | what it does | ring 0, swift-crypto |`; a ring goes on downwards.
  private static func rows(_ page: String) -> [Row] {
    var ring = ""
    var rows: [Row] = []
    var isTable = false
    for line in page.components(separatedBy: "\n") {
      if line.hasPrefix("| target |") { isTable = true }
      if !line.hasPrefix("|") { isTable = false }
      let cells = line.components(separatedBy: "|").dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard isTable, cells.count == 3, let name = cells[0].firstMatch(of: /`(\w+)`/)
      else { continue }
      if let mark = cells[0].firstMatch(of: /\*\*(.+)\*\*/) { ring = String(mark.1) }
      rows.append(Row(target: String(name.1), ring: ring, imports: cells[2]))
    }
    return rows
  }

  /// `rings 0 and 1, not TapInputs` and the like.
  private func expand(_ cell: String) -> Set<String>? {
    if cell == "everything" { return nil }
    let parts = cell.components(separatedBy: ", not ")
    var modules: Set<String> = []
    if parts[0].contains("ring 0") || parts[0].contains("rings 0") {
      modules.formUnion(ring.filter { $0.value == "ring 0" }.keys)
    }
    if parts[0].contains("and 1") { modules.formUnion(ring.filter { $0.value == "ring 1" }.keys) }
    if parts[0].contains("hdrhistogram") { modules.insert("Histogram") }
    for module in ["HeapModule", "DequeModule"] where parts[0].contains(module) {
      modules.insert(module)
    }
    for name in parts[0].matches(of: /\b(?:Tap\w+|C[A-Z]\w+)/) {
      modules.insert(String(name.0))
    }
    for part in parts.dropFirst() {
      for name in part.matches(of: /\bTap\w+/) { modules.remove(String(name.0)) }
    }
    return modules
  }

  /// `layer("X", imports: vocabulary + ["Y", .product(name: "Z", …)])` and executable targets.
  private static func declarations(_ manifest: String) -> [String: Set<String>] {
    let start = /(?:layer|\.executableTarget|\.target|\.testTarget)\(\s*(?:name: )?"(\w+)"/
    var found: [String: Set<String>] = [:]
    for match in manifest.matches(of: start) {
      var depth = 1
      let rest = manifest[match.range.upperBound...].prefix {
        depth += $0 == "(" ? 1 : $0 == ")" ? -1 : 0
        return depth > 0
      }
      var modules: Set<String> = []
      if rest.contains("vocabulary") { modules = ["TapBytes", "TapTraffic"] }
      for name in rest.matches(of: /"(\w+)"/) { modules.insert(String(name.1)) }
      found[String(match.1)] = modules
    }
    return found
  }
}
