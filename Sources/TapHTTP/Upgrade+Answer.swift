// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What the response to an upgrade settles, and whether it fits the request.
extension Upgrade {
  /// Fills in what the response settles; returns findings about both request and response.
  ///
  /// - Parameter request: nil when the request was not captured.
  static func settle(
    _ opening: inout Opening, request: Upgrade?, response: Head, at origin: Origin
  ) -> [Finding] {
    var findings: [Finding] = []
    if let request {
      opening.url = request.url
      opening.offered = request.offered
      opening.webSocketKey =
        request.isExtendedConnect ? [] : request.head.value("sec-websocket-key") ?? []
      findings += request.findings(at: origin)
    }
    let isUpgrade = request?.isExtendedConnect == false
    let faults = HandshakeFaults(response: response, upgrades: isUpgrade)
    if let finding = faults.finding(of: "the response to the upgrade", origin) {
      findings.append(finding)
    }
    if isUpgrade {
      let accept = response.bytes[response.place("sec-websocket-accept") ?? ByteRange()]
      if !isAnswer(accept, to: opening.webSocketKey.span.bytes) {
        findings.append(
          Finding(
            .acceptMismatch, .error, origin,
            accept.isEmpty
              ? "the response to the upgrade has no Sec-WebSocket-Accept"
              : "Sec-WebSocket-Accept does not fit the key that the client sent"))
      }
    }
    if let chosen = response.value("sec-websocket-protocol") {
      opening.subprotocol = chosen
      if request != nil, !opening.offered.contains(chosen) {
        let name = text(Opening.shown(subprotocol: chosen))
        findings.append(
          Finding(
            .subprotocolNotOffered, .error, origin,
            "the server chose the subprotocol \(name), which the client did not offer"))
      }
    }
    settle(extensionsOf: response, &opening, request, origin, &findings)
    return findings
  }

  /// The client was still waiting when the connection or the evidence ended.
  func unanswered(by opening: Opening, _ ending: Ending, _ origin: Origin) -> Finding {
    let shown = String(decoding: url, as: Unicode.UTF8.self)
    let client = opening.client.isKnown ? "\(opening.client)" : "the client"
    let isOver = ending != .endOfEvidence
    return Finding(
      .upgradeUnanswered, isOver ? .warning : .note, origin,
      "\(client) asked \(shown) for WebSocket, and no answer came before the "
        + (isOver ? "connection" : "input") + " ended")
  }

  /// Findings about the request, whatever the answer is.
  func findings(at origin: Origin) -> [Finding] {
    var findings: [Finding] = []
    if let finding = faults.finding(of: "the request for WebSocket", origin) {
      findings.append(finding)
    }
    for fault in offers.flatMap(\.faults) {
      findings.append(Self.finding(fault, "what the client offers: ", origin))
    }
    return findings
  }

  private static func settle(
    extensionsOf response: Head, _ opening: inout Opening, _ request: Upgrade?, _ origin: Origin,
    _ findings: inout [Finding]
  ) {
    let offered = request?.offeredExtensions
    var accepted: Set<[UInt8]> = []
    response.forEachElement(of: extensions) { element in
      let name = Self.name(of: element)
      if let offered, !offered.contains(name) {
        findings.append(
          Finding(
            .badExtension, .error, origin,
            "the server uses the extension \(text(name)), which the client did not offer"))
      }
      let isRepeated = !accepted.insert(name).inserted
      if !isRepeated { opening.extensions.append(name) }
      if !isDeflate(name) {
        findings.append(
          Finding(
            .badExtension, .warning, origin,
            "the extension \(text(name)) is not known here: frames may not be read correctly"))
      } else if isRepeated {
        // Both would use RSV1.
        let fault = DeflateParameters.Fault(
          text: "the server accepts \(text(name)) twice", source: "RFC 7692 §5")
        findings.append(finding(fault, "", origin))
      } else {
        let answer = DeflateParameters(element, isAnswer: true)
        opening.deflate = answer.agreed
        for fault in answer.faults { findings.append(finding(fault, "", origin)) }
        let misfits = request?.offers.map { $0.misfit(answer) } ?? []
        if !misfits.isEmpty, misfits.allSatisfy({ $0 != nil }), let misfit = misfits[0] {
          findings.append(finding(misfit, "", origin))
        }
      }
    }
  }

  private static func finding(
    _ fault: DeflateParameters.Fault, _ whose: String, _ origin: Origin
  ) -> Finding {
    var finding = Finding(.badExtension, .error, origin, whose + fault.text)
    finding.source = fault.source
    return finding
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: Unicode.UTF8.self)
  }
}
