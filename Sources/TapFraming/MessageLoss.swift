// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Why an incomplete message is not shown.
public enum MessageLoss {
  /// The number of bytes within it that were not captured; its end is known.
  case hole(Int)
  /// It continues into a gap, or the stream ends within it. `missing`: how many of its bytes are
  /// missing at least; nil where that is not known.
  case gap(missing: Int?)
  case end(missing: Int?)
  /// It is larger than `Limits.messageBytes`.
  case tooLong
  /// The messages of all connections that are being assembled leave no room for it.
  case noRoom

  /// A bound of `Limits` was reached.
  var isBound: Bool {
    switch self {
    case .tooLong, .noRoom: true
    case .hole, .gap, .end: false
    }
  }

  /// - Parameter captured: how many bytes of the message were captured.
  public func words(captured: Int) -> String {
    let shown = "\(counted(captured, "byte")) of it \(captured == 1 ? "is" : "are") not shown"
    switch self {
    case .hole(let missing):
      return
        "\(counted(missing, "byte")) of a message \(missing == 1 ? "was" : "were") not captured;"
        + " \(captured) were, and are not shown"
    case .gap: return "a part of a message was not captured: \(shown)"
    case .end: return "the connection ends inside of a message: \(shown)"
    case .tooLong: return "a message is larger than the limit: \(shown)"
    case .noRoom:
      return "very much is being put together at once, and leaves no room for a message: \(shown)"
    }
  }
}
