// SPDX-License-Identifier: Apache-2.0

/// The fields of HTTP/2 in the form of a head (RFC 9113 §8.3).
extension Head {
  /// Nil for what is no request: trailers.
  init?(request fields: [(name: String, value: [UInt8])]) {
    guard let method = fields.first(where: { $0.name == ":method" })?.value else { return nil }
    let path = fields.first { $0.name == ":path" }?.value ?? Array("*".utf8)
    startLine = [method, path, Array("HTTP/2".utf8)]
    self.fields = fields.filter { $0.name != ":method" && $0.name != ":path" }
  }

  /// Nil for what is no response: trailers.
  init?(response fields: [(name: String, value: [UInt8])]) {
    guard let status = fields.first(where: { $0.name == ":status" })?.value else { return nil }
    startLine = [Array("HTTP/2".utf8), status]
    self.fields = fields.filter { $0.name != ":status" }
  }
}
