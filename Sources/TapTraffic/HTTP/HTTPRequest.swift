// SPDX-License-Identifier: Apache-2.0

/// The head of an HTTP request, as far as it decides who reads the bodies (RFC 9110 §6, §9).
public struct HTTPRequest: Sendable {
  /// `GET`, `POST`.
  public var method: String
  /// `http://host/path?query` with all credentials.
  public var url: [UInt8]
  /// The media type of its body with its parameters; empty when there is none.
  public var contentType: [UInt8]
  /// The TCP connection that it came on.
  public var connection: Opening
  /// Where its head ended.
  public var origin: Origin

  public init(
    method: String, url: [UInt8], contentType: [UInt8], connection: Opening, origin: Origin
  ) {
    (self.method, self.url, self.origin) = (method, url, origin)
    (self.contentType, self.connection) = (contentType, connection)
  }
}
