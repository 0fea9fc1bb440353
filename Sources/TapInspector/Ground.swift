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

  private var transport: Transport
  private var pasted: any Layer
  private var hasPackets = false
  private let inspector: Inspector
  /// Who hears what is found: the inspector, or who stands before it.
  private let listener: any Listener
  private let limits: Limits

  /// - Parameter listener: stands before the inspector and passes on to it; nil for nobody.
  public init(_ inspector: Inspector, limits: Limits, listener: (any Listener)? = nil) {
    (self.inspector, self.limits) = (inspector, limits)
    self.listener = listener ?? inspector
    transport = Transport(chooser: Stacks(limits: limits), limits: limits)
    pasted = Nothing()
    let nowhere = Endpoint(address: [0, 0, 0, 0], port: 0)
    let opening = Opening(.webSocket, client: nowhere, server: nowhere, isFromStart: false)
    pasted = WAMPLayer(opening, limits: limits)
  }

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    hasPackets = true
    transport.receive(bytes, packet, listener)
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
    pasted.receive(bytes, delivery, listener)
  }

  public func finding(_ finding: Finding) { listener.finding(finding) }

  /// The end of all evidence, or of what was read of it.
  ///
  /// - Parameter stop: why no more was read; asked for when the last message was told.
  public func finish(_ stop: @autoclosure () -> Summary.Stop? = nil) {
    if hasPackets { transport.finish(listener) }
    inspector.finish(hasPackets: hasPackets, stop())
  }
}
