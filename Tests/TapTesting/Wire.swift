// SPDX-License-Identifier: Apache-2.0

/// A piece of a wire literal: a byte, or text, which means its UTF-8 bytes.
public protocol WirePiece { var octets: [UInt8] { get } }

extension Int: WirePiece { public var octets: [UInt8] { [UInt8(self)] } }
extension String: WirePiece { public var octets: [UInt8] { Array(utf8) } }
extension Array: WirePiece where Element == UInt8 { public var octets: [UInt8] { self } }

/// Bytes as they look on the wire: `wire(0x81, 0x05, "Hello")`.
public func wire(_ pieces: any WirePiece...) -> [UInt8] { pieces.flatMap(\.octets) }
