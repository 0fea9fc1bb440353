// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public struct Instant: Sendable, Hashable {
  public var nanoseconds: Int64; public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
}
public enum Direction: UInt8, Sendable { case toServer, toClient }
public struct Origin: Sendable {
  public var record: UInt32; public var direction: Direction; public var time: Instant;
  public var offset: UInt64
  public init(record: UInt32, direction: Direction, time: Instant, offset: UInt64) {
    self.record = record; self.direction = direction; self.time = time; self.offset = offset
  }
}
public struct Link: Sendable, Hashable {
  public enum Role: UInt8, Sendable { case none, opens, answers, continues, closes };
  public var role: Role; public var space: UInt8; public var key: UInt64
  public init(_ role: Role, _ space: UInt8, _ key: UInt64) {
    self.role = role; self.space = space; self.key = key
  }
}
/// What a dialect read in one message: numbers and ranges only; the bytes are lent beside it.
public struct Message: Sendable {
  public var name: StaticString; public var subject: Range<Int>; public var link: Link;
  public var payload: Range<Int>; public var origin: Origin
  public init(
    name: StaticString, subject: Range<Int>, link: Link, payload: Range<Int>, origin: Origin
  ) {
    self.name = name; self.subject = subject; self.link = link; self.payload = payload;
    self.origin = origin
  }
}
public struct Finding: Sendable {
  public struct Code: Sendable, ExpressibleByStringLiteral {
    public let text: StaticString; public init(stringLiteral s: StaticString) { text = s }
  }
  public var code: Code; public var origin: Origin;
  public init(_ code: Code, _ origin: Origin) { self.code = code; self.origin = origin }
}
/// One protocol, both directions. It is lent bytes and passes what it finds to the layer it carries, or tells the listener.
public protocol Layer {
  mutating func receive(_ bytes: RawSpan, _ origin: Origin, _ listener: any Listener)
}
/// Hears what layers tell; the bytes are lent for the call.
public protocol Listener: AnyObject {
  func message(_ message: Message, _ bytes: RawSpan)
  func finding(_ finding: Finding)
}
