// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Opening {
  /// A conversation between two ordinary endpoints.
  public init(_ carrier: Carrier, isFromStart: Bool) {
    self.init(
      carrier, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: isFromStart)
  }
}
