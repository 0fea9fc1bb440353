// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What all messages of a framing have in common.
public struct FramingTraits {
  /// Findings: bytes of a message are missing; a message is too long.
  public var incomplete, tooLong: Finding.Code
  /// Findings: after a loss, messages were found again; none was found.
  public var resynchronised, framingLost: Finding.Code
  /// What its messages and the server are called in findings.
  public var (noun, server) = ("messages", "server")
  /// The offset of a message is that of its end, not of its first byte.
  public var placesEnds = false
  /// The kind under which messages are passed to the layer above.
  public var kind = Delivery.Kind.text
  /// Bytes of the longest message, and the most bytes that are searched for one.
  public var longest, longestSearch: Int
  /// Memory that all connections may take together.
  public var room: Allowance

  public init(
    incomplete: Finding.Code, tooLong: Finding.Code, resynchronised: Finding.Code,
    framingLost: Finding.Code, longest: Int, longestSearch: Int, room: Allowance
  ) {
    (self.incomplete, self.tooLong) = (incomplete, tooLong)
    (self.resynchronised, self.framingLost) = (resynchronised, framingLost)
    (self.longest, self.longestSearch, self.room) = (longest, longestSearch, room)
  }
}
