// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Puts messages together from frames that are printed one by one (RFC 6455 §5.4).
struct LogFragments {
  /// Conversations that are in the middle of a message.
  private static let most = 256

  private var open: [String: LoggedFrame] = [:]
  private let mostBytes: Int

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// The whole message that ends with a frame; nil while there is none.
  ///
  /// - Parameter name: of the conversation and who sends.
  mutating func add(_ frame: LoggedFrame, _ name: String) -> LoggedFrame? {
    if frame.opcode != .continuation {
      if frame.isFinal { return frame }
      if open.count >= Self.most { open.removeAll() }
      open[name] = frame
      return nil
    }
    // A continuation whose beginning is not in the log is no message.
    guard var whole = open.removeValue(forKey: name) else { return nil }
    let (wasCut, isCut) = (whole.isCut, whole.isCut || frame.isCut)
    whole.length = max(whole.length, whole.payload.count)
    whole.length += max(frame.length, frame.payload.count)
    // Behind a missing part, no byte of the message is certain.
    if !wasCut { whole.payload.append(frame.payload.bytes) }
    if isCut || whole.length > mostBytes {
      whole.length = max(whole.length, whole.payload.count + 1)
    }
    whole.isFinal = frame.isFinal
    if frame.isFinal { return whole }
    open[name] = whole
    return nil
  }
}
