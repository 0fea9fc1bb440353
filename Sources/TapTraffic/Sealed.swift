// SPDX-License-Identifier: Apache-2.0

/// An encrypted connection that could not be decrypted, and what its handshake shows anyway. A
/// finding that has one is shown even where notes are not.
public struct Sealed: Sendable {
  public var client: Endpoint
  public var server: Endpoint
  public var security: Opening.Security

  public init(client: Endpoint, server: Endpoint, _ security: Opening.Security) {
    (self.client, self.server, self.security) = (client, server, security)
  }
}
