// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// The handshake of a conversation whose HTTP heads an export contains. It is read like that of a
/// stream, but without complaints about what exports leave out.
public enum ExportedHandshake {
  /// Fills in what the heads of an opening say, and removes the heads, which may contain
  /// credentials.
  ///
  /// - Parameters:
  ///   - reportsHeads: whether the heads are wanted, line by line.
  ///   - origin: the origin of the findings.
  public static func settle(
    _ opening: inout Opening, reportsHeads: Bool, at origin: Origin
  ) -> [Finding] {
    var findings: [Finding] = []
    let request = head(opening.request)
    let response = head(opening.response)
    let url = opening.url
    if let response {
      // Browsers do not always export the key; without it, the answer cannot be checked.
      var upgrade = request.flatMap { Upgrade(request: $0) }
      let lacksKey = upgrade.map { $0.head.place("sec-websocket-key")?.isEmpty ?? true } ?? false
      if lacksKey || !response.has("sec-websocket-accept") {
        opening.offered = upgrade?.offered ?? []
        upgrade = nil
      }
      findings = Upgrade.settle(&opening, request: upgrade, response: response, at: origin)
    }
    // Keep the exported URL: the heads do not show whether the connection was encrypted.
    if !url.isEmpty { opening.url = url }
    if reportsHeads {
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
