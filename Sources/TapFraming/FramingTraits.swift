// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What is the same for every message of a framing.
public struct FramingTraits {
  /// Bytes are missing of a message, or it is too long.
  public var incomplete, tooLong: Finding.Code
  /// Behind a loss, messages were found again, or none was.
  public var resynchronised, framingLost: Finding.Code
  /// What its messages, and the server, are called.
  public var (noun, server) = ("messages", "server")
  /// A message has the place of its last byte, not of its first.
  public var placesEnds = false
  /// What messages are to the layer above.
  public var kind = Delivery.Kind.text
  /// Bytes of the longest message, and of what is searched for one.
  public var longest, longestSearch: Int
  /// What all connections together may hold.
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
