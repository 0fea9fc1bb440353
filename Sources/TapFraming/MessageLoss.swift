// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Why a message that has begun is not shown.
public enum MessageLoss {
  /// So many bytes within it were not captured; its end is known.
  case hole(Int)
  /// It goes on where bytes were not captured, or the stream ends in it; so many of its bytes are
  /// missing at least, where that is known.
  case gap(missing: Int?)
  case end(missing: Int?)
  /// It is larger than the limit.
  case tooLong
  /// All messages that are being put together leave no room for it.
  case noRoom

  /// A bound was reached.
  var isBound: Bool {
    switch self {
    case .tooLong, .noRoom: true
    case .hole, .gap, .end: false
    }
  }

  /// - Parameter captured: bytes of the message.
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
