// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Answers with bodies to requests from before the capture: whose session they are of is not known,
/// as a proxy's connection carries those of many.
struct UnaskedAnswers {
  /// Where the head of the first ended.
  let first: Origin
  var count = 1

  /// What is told once a request shows that this connection carries sessions.
  func finding(_ origin: Origin) -> Finding {
    let place = first.record > 0 ? "packet \(first.record)" : ""
    return Finding(
      .requestMissing, .note, origin,
      count == 1
        ? "an answer\(place.isEmpty ? "" : " (\(place))") to a request from before the capture is"
          + " not read: messages of a session may be in it"
        : "\(count) answers\(place.isEmpty ? "" : " (from \(place))") to requests from before the"
          + " capture are not read: messages of sessions may be in them")
  }
}

extension HTTPLayer {
  /// Whether the next answer is to a request from before the capture.
  var mayBeUnasked: Bool {
    !opening.isFromStart && opening.guesses == 0 && lastReader == nil && asked.isEmpty
  }

  mutating func noteUnasked(_ delivery: Delivery) {
    if unasked == nil {
      unasked = UnaskedAnswers(first: delivery.origin)
    } else {
      unasked!.count += 1
    }
  }

  mutating func tellUnasked(_ delivery: Delivery, _ listener: any Listener) {
    guard let answers = unasked else { return }
    unasked = nil
    listener.finding(answers.finding(delivery.origin))
  }
}
