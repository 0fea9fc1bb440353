// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Inflates a gzip file (RFC 1952) in chunks, with any number of members. zlib parses the header
/// and checks CRC-32 and length of the trailer. Zero bytes after a member are padding (some tar
/// files have it). It holds 64 KiB of output and no input.
public final class GunzipReader {
  public enum Outcome: Sendable, Equatable {
    /// No fault so far; after `finish`: the file ended after a member.
    case fine
    /// The file ended inside a member, `offset` bytes (compressed) from its beginning.
    case truncated(offset: UInt64)
    /// Not gzip, or a wrong checksum; detected `offset` bytes (compressed) from the beginning. The
    /// rest cannot be read.
    case damaged(offset: UInt64)
  }

  private static let room = 64 << 10

  private let stream: DeflateStream
  private var out = Scratch()
  private var isInMember = false
  private var damage: Outcome?

  /// The number of compressed bytes read.
  public private(set) var offset: UInt64 = 0

  /// Nil when there is no memory.
  ///
  /// - Parameter isZlib: expect zlib's header and trailer (RFC 1950), not gzip's.
  public init?(isZlib: Bool = false) {
    // 15: the largest window; 16: gzip header and trailer (zlib.h, inflateInit2).
    guard let stream = DeflateStream(windowBits: isZlib ? 15 : 15 + 16) else { return nil }
    self.stream = stream
  }

  /// Inflates the next chunk.
  ///
  /// - Parameter inflated: called with each piece of output, in order.
  public func receive(_ chunk: RawSpan, _ inflated: (RawSpan) -> Void) -> Outcome {
    if let damage { return damage }
    var out = Scratch()
    swap(&out, &self.out)
    defer { swap(&out, &self.out) }
    var at = 0
    while at < chunk.byteCount {
      if !isInMember {
        if offset > 0 && chunk.byte(at: at) == 0 {
          (at, offset) = (at + 1, offset + 1)
          continue
        }
        isInMember = true
      }
      guard advance(chunk, &at, &out, inflated) else {
        damage = .damaged(offset: offset)
        return .damaged(offset: offset)
      }
    }
    return .fine
  }

  /// Ends the file; reports whether a member is incomplete.
  public func finish() -> Outcome {
    if let damage { return damage }
    return isInMember ? .truncated(offset: offset) : .fine
  }

  /// Inflates to the end of the chunk or of the member; false on damage.
  private func advance(
    _ chunk: RawSpan, _ at: inout Int, _ out: inout Scratch, _ inflated: (RawSpan) -> Void
  ) -> Bool {
    while true {
      var step = DeflateStream.Step(status: .progress, consumed: 0, produced: 0)
      var isFull = false
      out.removeAll()
      out.fill(Self.room) { free in
        step = stream.step(chunk, from: at, into: free)
        isFull = step.produced == free.count
        return step.produced
      }
      at += step.consumed
      offset += UInt64(step.consumed)
      if !out.isEmpty { inflated(out.bytes) }
      switch step.status {
      case .progress:
        if at == chunk.byteCount && !isFull { return true }
        if step.consumed == 0 && step.produced == 0 { return at == chunk.byteCount }
      case .end:
        stream.reset()
        isInMember = false
        return true
      case .tooFarBack, .corrupt: return false
      }
    }
  }
}
