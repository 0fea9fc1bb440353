// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
public import TapTraffic
import TapTransport

/// The ground floor: what inputs give goes in by one of its doors. It owns the transport, which
/// owns the connections; the inspector only listens.
public final class Ground: Floor {
  /// Why a pasted message was not understood, and where it began.
  public struct Refusal: Sendable {
    public var offset: UInt64
    /// Which input, from 0.
    public var input: UInt16
    public var reason: String
  }

  /// The first of them; all are counted.
  public private(set) var refusals: [Refusal] = []
  public private(set) var refusalCount = 0

  private let transport: Cell<Transport>
  private var pasted: any Layer
  private var hasPackets = false
  private let inspector: Inspector
  private let limits: Limits

  public init(_ inspector: Inspector, limits: Limits) {
    (self.inspector, self.limits) = (inspector, limits)
    let stacks = Stacks(limits: limits, tellsFrames: inspector.wishes.contains(.frames))
    transport = Cell(Transport(chooser: stacks, limits: limits))
    pasted = Nothing()
    let nowhere = Endpoint(address: [0, 0, 0, 0], port: 0)
    let opening = Opening(.webSocket, client: nowhere, server: nowhere, isFromStart: false)
    pasted = WAMPLayer(opening, limits: limits)
  }

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    hasPackets = true
    transport.value.receive(bytes, packet, inspector)
  }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) {
    // Pasted text has nothing around it that says what it is: it must be a message by itself.
    if let reason = WAMPLayer.refusal(of: bytes) {
      refusalCount += 1
      if refusals.count < limits.refusals {
        refusals.append(
          Refusal(
            offset: delivery.origin.offset, input: delivery.origin.input, reason: reason))
      }
      return
    }
    pasted.receive(bytes, delivery, inspector)
  }

  public func finding(_ finding: Finding) { inspector.finding(finding) }

  /// The end of all evidence.
  public func finish() {
    if hasPackets { transport.value.finish(inspector) }
    inspector.finish(hasPackets: hasPackets)
  }
}
