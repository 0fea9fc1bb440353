// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One arrow between the columns of a client and of a server, gap by gap. Answers are dashed.
struct LadderArrow {
  /// The columns that it joins.
  private let left: Int
  private let right: Int
  /// Whether its tip is at the right; nil when nobody knows.
  private let pointsRight: Bool?
  private let isReply: Bool
  /// The gap beside the client: labels stand there, so that their column says whose they are.
  let labelled: Int

  init(client: Int, server: Int, direction: Direction, isReply: Bool) {
    (left, right) = (min(client, server), max(client, server))
    switch direction {
    case .toServer: pointsRight = client < server
    case .toClient: pointsRight = server < client
    case .unknown: pointsRight = nil
    }
    self.isReply = isReply
    labelled = client < server ? client : client - 1
  }

  /// The same for arrows that look the same.
  var key: WideKey {
    let look = (isReply ? 4 : 0) + (pointsRight.map { $0 ? 2 : 1 } ?? 0)
    return WideKey(UInt64(look), UInt64(left) << 32 | UInt64(right))
  }

  func crosses(_ place: Int) -> Bool { left < place && place < right }

  /// Everything between the column and the next one.
  func append(gap place: Int, _ width: Int, to text: inout TextBuffer) {
    if place < left || place >= right { return text.append(spaces: width) }
    let start = text.count
    if hasTip(place, atRight: false) { text.append("◀") }
    let tips = (text.count > start ? 1 : 0) + (hasTip(place, atRight: true) ? 1 : 0)
    append(dashes: width - tips, to: &text)
    if hasTip(place, atRight: true) { text.append("▶") }
  }

  /// The two columns before a label.
  func appendStart(gap place: Int, to text: inout TextBuffer) {
    if hasTip(place, atRight: false) { text.append("◀") } else { append(dashes: 1, to: &text) }
    append(dashes: 1, to: &text)
  }

  /// The column behind a label.
  func appendEnd(gap place: Int, to text: inout TextBuffer) {
    if hasTip(place, atRight: true) { text.append("▶") } else { append(dashes: 1, to: &text) }
  }

  func append(dashes: Int, to text: inout TextBuffer) {
    let line = isReply ? Self.dashed : Self.solid
    var left = max(dashes, 0)
    while left > 0 {
      let count = min(left, 32)
      text.append(line.span.bytes.extracting(0..<count * 3))
      left -= count
    }
  }

  /// 32 dashes, each of three bytes.
  private static let dashed = [UInt8](String(repeating: "┄", count: 32).utf8)
  private static let solid = [UInt8](String(repeating: "─", count: 32).utf8)

  private func hasTip(_ place: Int, atRight: Bool) -> Bool {
    atRight ? pointsRight == true && place == right - 1 : pointsRight == false && place == left
  }
}
