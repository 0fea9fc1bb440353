// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// The handshake of a conversation whose heads an export has: read like those of a stream, but for
/// what exports leave out.
public enum ExportedHandshake {
  /// Fills in what the heads of an opening say, and leaves nothing in it that may be a credential.
  ///
  /// - Parameters:
  ///   - tellsHeads: whether the heads are wanted, line by line.
  ///   - origin: where what is wrong with them is to be told.
  public static func settle(
    _ opening: inout Opening, tellsHeads: Bool, at origin: Origin
  ) -> [Finding] {
    var findings: [Finding] = []
    let request = head(opening.request)
    let response = head(opening.response)
    let url = opening.url
    if let response {
      // Without a key, which browsers do not always show, nothing can be said of the answer to it.
      var upgrade = request.flatMap { Upgrade(request: $0) }
      let lacksKey = upgrade.map { $0.head.place("sec-websocket-key")?.isEmpty ?? true } ?? false
      if lacksKey || !response.has("sec-websocket-accept") {
        opening.offered = upgrade?.offered ?? []
        upgrade = nil
      }
      findings = Upgrade.settle(&opening, request: upgrade, response: response, at: origin)
    }
    // As it was asked for: heads do not say whether it was encrypted.
    if !url.isEmpty { opening.url = url }
    if tellsHeads {
      opening.heads = (request?.lines ?? []) + (response?.lines ?? [])
    }
    (opening.request, opening.response) = ([], [])
    return findings
  }

  private static func head(_ text: [UInt8]) -> Head? {
    if text.isEmpty { return nil }
    return Head(parsing: text.span.bytes)
  }
}
