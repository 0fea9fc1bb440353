// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Answers with bodies to requests that were not captured: whose session they are of is not known,
/// as a proxy's connection carries those of many.
struct UnaskedAnswers {
  /// Where the head of the first ended.
  let first: Origin
  var count = 1

  /// What is reported once a request shows that this connection carries sessions.
  func finding(_ origin: Origin) -> Finding {
    let place = first.record > 0 ? "packet \(first.record)" : ""
    return Finding(
      .requestMissing, .note, origin,
      count == 1
        ? "an answer\(place.isEmpty ? "" : " (\(place))") to a request that was not captured is"
          + " not read: messages of a session may be in it"
        : "\(count) answers\(place.isEmpty ? "" : " (from \(place))") to requests that were not"
          + " captured are not read: messages of sessions may be in them")
  }
}

extension HTTPLayer {
  /// Whether the next answer is to a request that was not captured.
  var mayBeUnasked: Bool {
    asked.isEmpty
      && (mayHaveLostRequests
        || !opening.isFromStart && opening.guesses == 0 && lastReader == nil)
  }

  mutating func noteUnasked(_ delivery: Delivery, _ listener: any Listener) {
    if unasked == nil {
      unasked = UnaskedAnswers(first: delivery.origin)
    } else {
      unasked!.count += 1
    }
    if lastReader != nil { reportUnasked(delivery, listener) }
  }

  mutating func reportUnasked(_ delivery: Delivery, _ listener: any Listener) {
    guard let answers = unasked else { return }
    unasked = nil
    listener.finding(answers.finding(delivery.origin))
  }
}
