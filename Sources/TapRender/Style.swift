// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Colours that can be read on light and on dark ground: of the sixteen only red and magenta are
/// dark enough for the one and light enough for the other. Colour never carries meaning alone.
public struct Style: Sendable {
  public enum Role: Sendable { case name, failure, warning, subject, dim }

  public var isColored: Bool

  public init(isColored: Bool) { self.isColored = isColored }

  @inline(__always)
  func begin(_ role: Role, _ text: inout TextBuffer) {
    guard isColored else { return }
    switch role {
    case .name: text.append("\u{1B}[1m")
    case .failure: text.append("\u{1B}[1;31m")
    case .warning: text.append("\u{1B}[1;35m")
    case .subject: text.append("\u{1B}[35m")
    case .dim: text.append("\u{1B}[2m")
    }
  }

  /// Of a connection: its lines are told apart at a glance. Of the 256 colours, some that can be
  /// read on either ground.
  func begin(connection: UInt32, _ text: inout TextBuffer) {
    guard isColored else { return }
    text.append("\u{1B}[38;5;")
    text.append(decimal: Self.connections[Int(connection) % Self.connections.count])
    text.append("m")
  }

  /// Olive, blue, green, orange, violet, teal, ochre, pink.
  private static let connections: [UInt64] = [100, 33, 35, 166, 98, 37, 136, 168]

  @inline(__always)
  func end(_ text: inout TextBuffer) {
    if isColored { text.append("\u{1B}[0m") }
  }
}
