// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Messages and control frames that come whole, from evidence that has no frames: told as those
/// are that were put together of frames.
public enum WholeMessages {
  /// One message of text or bytes.
  public static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    MessageTeller.pass(bytes, delivery, &above, listener)
  }

  /// One control frame.
  ///
  /// - Parameter closing: what the first CLOSE said.
  public static func control(
    _ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery, _ above: any Layer,
    _ closing: inout Closing?, _ listener: any Listener
  ) {
    ControlTeller.tell(opcode, payload, delivery, above, &closing, listener)
  }
}
