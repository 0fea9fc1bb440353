// SPDX-License-Identifier: Apache-2.0
internal import CLibyaml

/// Why a text cannot be read as YAML.
public struct YAMLFault: Error {
  /// Both count from 1, columns by characters.
  public var line: Int
  public var column: Int
  /// libyaml's message.
  public var text: String
}

/// A YAML text with one document, parsed by libyaml.
public struct YAMLDocument {
  /// The content of a node.
  public enum Content {
    /// - Parameter isPlain: it is not quoted.
    case scalar(String, isPlain: Bool)
    case sequence([Node])
    case mapping([(key: Node, value: Node)])
  }

  /// A class, as aliases share nodes.
  public final class Node {
    /// Both count from 1, columns by characters.
    public let line: Int
    public let column: Int
    public fileprivate(set) var content: Content

    fileprivate init(_ node: yaml_node_t) {
      (line, column) = (node.start_mark.line + 1, node.start_mark.column + 1)
      content = .sequence([])
    }
  }

  private static let functions: tap_yaml? =
    SharedLibrary.libyaml.load(tap_yaml()) { tap_yaml_find(&$0, $1) != 0 }

  /// `0.2.5`; nil without libyaml.
  public static var version: String? {
    functions.flatMap { $0.get_version_string() }.map { String(cString: $0) }
  }

  /// All nodes of the document, the root first; empty for an empty document.
  public private(set) var nodes: [Node] = []

  /// - Parameter text: UTF-8.
  public init(_ text: String) throws(YAMLFault) {
    guard let library = Self.functions else {
      throw YAMLFault(line: 1, column: 1, text: SharedLibrary.libyaml.isMissing)
    }
    let bytes = Array(text.utf8)
    var parser = yaml_parser_t()
    guard library.parser_initialize(&parser) == 1 else {
      throw YAMLFault(line: 1, column: 1, text: "there is no memory for it")
    }
    defer { library.parser_delete(&parser) }
    let fault: YAMLFault? = bytes.withUnsafeBufferPointer { buffer in
      library.parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      library.parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      var document = yaml_document_t()
      guard library.parser_load(&parser, &document) == 1 else { return Self.fault(parser, bytes) }
      nodes = Self.nodes(document)
      library.document_delete(&document)
      if nodes.isEmpty { return nil }
      // An empty document marks the end.
      guard library.parser_load(&parser, &document) == 1 else { return Self.fault(parser, bytes) }
      defer { library.document_delete(&document) }
      if document.nodes.start == document.nodes.top { return nil }
      return YAMLFault(
        line: document.start_mark.line + 1, column: document.start_mark.column + 1,
        text: "expected a single document in the stream, but found another document")
    }
    if let fault { throw fault }
  }

  private static func nodes(_ document: yaml_document_t) -> [Node] {
    let all = UnsafeBufferPointer(
      start: document.nodes.start, count: document.nodes.top - document.nodes.start)
    let nodes = all.map { Node($0) }
    for (node, source) in zip(nodes, all) {
      switch source.type {
      case YAML_SCALAR_NODE:
        let scalar = source.data.scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        node.content = .scalar(
          String(decoding: text, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      case YAML_MAPPING_NODE:
        let pairs = source.data.mapping.pairs
        node.content = .mapping(
          UnsafeBufferPointer(start: pairs.start, count: pairs.top - pairs.start).map {
            (nodes[Int($0.key) - 1], nodes[Int($0.value) - 1])
          })
      default:
        // libyaml counts nodes from 1.
        let items = source.data.sequence.items
        node.content = .sequence(
          UnsafeBufferPointer(start: items.start, count: items.top - items.start).map {
            nodes[Int($0) - 1]
          })
      }
    }
    return nodes
  }

  private static func fault(_ parser: yaml_parser_t, _ bytes: [UInt8]) -> YAMLFault {
    func text(_ words: UnsafePointer<CChar>?) -> String { words.map { String(cString: $0) } ?? "" }
    if parser.error == YAML_READER_ERROR {
      let before = String(decoding: bytes.prefix(parser.problem_offset), as: UTF8.self)
      let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
      return YAMLFault(
        line: lines.count, column: lines[lines.count - 1].count + 1, text: text(parser.problem))
    }
    let context = text(parser.context)
    return YAMLFault(
      line: parser.problem_mark.line + 1, column: parser.problem_mark.column + 1,
      text: context.isEmpty ? text(parser.problem) : "\(context), \(text(parser.problem))")
  }
}
