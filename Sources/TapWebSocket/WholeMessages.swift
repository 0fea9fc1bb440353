// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// For evidence that has whole messages and control frames instead of a stream of frames: reports
/// them the same way.
public enum WholeMessages {
  /// One text or binary message.
  public static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    MessageReporter.pass(bytes, delivery, &above, listener)
  }

  /// One control frame.
  ///
  /// - Parameter closing: set to what the first CLOSE says.
  public static func control(
    _ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery, _ above: any Layer,
    _ closing: inout Closing?, _ listener: any Listener
  ) {
    ControlReporter.report(opcode, payload, delivery, above, &closing, listener)
  }
}
