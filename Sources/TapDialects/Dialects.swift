// SPDX-License-Identifier: Apache-2.0

/// The dialects there are. The highest claim wins; this order breaks ties.
public enum Dialects {
  public static let all: [any Dialect.Type] = [
    WAMPLayer.self, WAMPv1Layer.self, JSONRPCLayer.self, JSONLayer.self,
  ]
}
