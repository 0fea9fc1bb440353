// SPDX-License-Identifier: Apache-2.0
import CDeflate

/// WebSocket frames (RFC 6455 §5.2).
enum Frames {
  static func append(
    _ first: UInt8, _ payload: ArraySlice<UInt8>, mask: UInt32?, to frames: inout [UInt8]
  ) {
    let masked: UInt8 = mask == nil ? 0 : 0x80
    frames.append(first)
    switch payload.count {
    case ..<126: frames.append(masked | UInt8(payload.count))
    case ..<65_536:
      frames.append(masked | 126)
      frames.append(big: UInt16(payload.count))
    default:
      frames.append(masked | 127)
      frames.append(big: 0 as UInt32)
      frames.append(big: UInt32(payload.count))
    }
    guard let mask else { return frames.append(contentsOf: payload) }
    frames.append(big: mask)
    let start = frames.count
    frames.append(contentsOf: payload)
    let word = mask.bigEndian
    frames.withUnsafeMutableBytes { all in
      var at = start
      while at &+ 4 <= all.count {
        let plain = all.loadUnaligned(fromByteOffset: at, as: UInt32.self)
        all.storeBytes(of: plain ^ word, toByteOffset: at, as: UInt32.self)
        at &+= 4
      }
      while at < all.count {
        all[at] ^= UInt8(truncatingIfNeeded: mask >> UInt32(24 - (at - start) % 4 * 8))
        at &+= 1
      }
    }
  }
}

/// One direction of permessage-deflate with context takeover.
final class Deflater {
  private let deflater = bench_deflater_make()!
  private var room = [UInt8](repeating: 0, count: 1 << 12)

  deinit { bench_deflater_free(deflater) }

  func deflate(_ message: [UInt8]) -> [UInt8] {
    let needed = message.count + message.count / 8 + 256
    if room.count < needed { room = [UInt8](repeating: 0, count: needed) }
    let count = room.withUnsafeMutableBufferPointer { room in
      message.withUnsafeBufferPointer {
        bench_deflate(deflater, $0.baseAddress, $0.count, room.baseAddress, room.count)
      }
    }
    precondition(count > 0, "there was room for the message")
    return Array(room[..<count])
  }
}
