// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A cache of names of connections: a log has few of them, and repeats one on each line.
struct LogWriters {
  private struct Known {
    var name: StaticString
    var value: [UInt8]
    var text: String

    func isSame(_ name: StaticString, _ value: RawSpan) -> Bool {
      self.name.utf8Start == name.utf8Start && self.value.span.bytes.equals(value)
    }
  }

  /// Names that are remembered.
  private static let most = 8

  private var known = ContiguousArray<Known>()
  /// How many servers the adapter of debugpy has begun to talk with.
  var debugpyServers = 0

  /// `session 4711`
  mutating func text(_ name: StaticString, _ value: RawSpan) -> String {
    for index in known.indices where known[index].isSame(name, value) { return known[index].text }
    let octets = value.copied()
    let text = name.description + " " + String(decoding: octets, as: Unicode.UTF8.self)
    if known.count >= Self.most { known.removeAll() }
    known.append(Known(name: name, value: octets, text: text))
    return text
  }
}
