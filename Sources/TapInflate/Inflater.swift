// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Inflates one direction of permessage-deflate (RFC 7692), with or without context takeover. It
/// does not know message boundaries: for each message, the caller passes the payload, then the
/// bytes 00 00 FF FF that the sender removed (§7.2.2).
///
/// Its output is never wrong: a distance before the first byte since `reset` gives
/// `unknownContext`, not invented text. After `corrupt` and `unknownContext`, every call returns
/// the same until `reset`; output before the damage was appended.
public final class Inflater {
  public enum Outcome: Sendable, Equatable {
    /// All of the input was used.
    case done
    /// A final block (BFINAL) ended after `consumed` bytes of the input. The window is kept; the
    /// caller continues with the rest, if any.
    case streamEnd(consumed: Int)
    /// The output would exceed `limit`. It was filled up to there; the rest of the input was
    /// inflated too, but dropped, so that the next message finds its window.
    case tooLarge
    /// The input refers to bytes that were not captured: the capture began later, or earlier
    /// messages are missing.
    case unknownContext
    /// Not a deflate stream (RFC 1951).
    case corrupt
  }

  private let stream: DeflateStream
  /// The input so far consists of complete blocks.
  public var isBetweenBlocks: Bool { stream.isBetweenBlocks }
  /// The input ended with a final block. A message that ends here lacks the byte that RFC 7692
  /// §7.2.3.4 requires, so the tail must not be appended.
  public private(set) var isAtStreamEnd = false

  /// Raw deflate.
  ///
  /// - Parameter windowBits: 8 to 15, base-2 logarithm of the negotiated window. Nil for other
  ///   values, or when there is no memory.
  public init?(windowBits: Int32) {
    guard (8...15).contains(windowBits) else { return nil }
    // zlib's deflate cannot make raw streams for a window of 256 bytes; old versions silently used
    // 512.
    guard let stream = DeflateStream(windowBits: -max(9, windowBits)) else { return nil }
    self.stream = stream
  }

  /// Inflates `bytes` and appends to `out`.
  ///
  /// - Parameter limit: the largest size of `out` afterwards, including earlier bytes.
  public func inflate(_ bytes: RawSpan, into out: inout Scratch, limit: Int) -> Outcome {
    var at = 0
    var isTooLarge = false
    if !bytes.isEmpty { isAtStreamEnd = false }
    while at < bytes.byteCount {
      let step = advance(bytes, &at, into: &out, limit: limit, &isTooLarge)
      switch step {
      case .progress: return isTooLarge ? .tooLarge : .done
      case .tooFarBack: return .unknownContext
      case .corrupt: return .corrupt
      case .end:
        stream.restartKeepingWindow()
        isAtStreamEnd = at == bytes.byteCount
        // If too large, nobody reads the rest; it only feeds the window.
        if !isTooLarge { return .streamEnd(consumed: at) }
      }
    }
    return isTooLarge ? .tooLarge : .done
  }

  /// Appends the window, at most 32 KiB. Between blocks, another inflater can continue from it
  /// (`reset(window:)`).
  public func copyWindow(into out: inout Scratch) { stream.copyWindow(into: &out) }

  /// Replaces the window, for example by placeholders for unknown bytes.
  public func reset(window octets: RawSpan) {
    stream.prime(octets)
    isAtStreamEnd = false
  }

  /// Forgets the window, for the next message without context takeover or after damage.
  public func reset() {
    stream.reset()
    isAtStreamEnd = false
  }

  /// Runs until the input is used up (`progress`) or something else happened.
  private func advance(
    _ bytes: RawSpan, _ at: inout Int, into out: inout Scratch, limit: Int,
    _ isTooLarge: inout Bool
  ) -> DeflateStream.Status {
    while true {
      let free = limit - out.count
      let step: DeflateStream.Step
      let room: Int
      if free > 0 && !isTooLarge {
        room = min(free, max(512, (bytes.byteCount - at) &* 4))
        step = append(bytes, at, room, to: &out)
      } else {
        room = Self.voidBytes
        step = discard(bytes, at)
        if step.produced > 0 { isTooLarge = true }
      }
      at += step.consumed
      // If the output is not full, zlib holds nothing back.
      if step.status != .progress { return step.status }
      if at == bytes.byteCount && step.produced < room { return .progress }
      if step.consumed == 0 && step.produced == 0 { return .corrupt }
    }
  }

  private func append(
    _ bytes: RawSpan, _ at: Int, _ room: Int, to out: inout Scratch
  ) -> DeflateStream.Step {
    var step = DeflateStream.Step(status: .progress, consumed: 0, produced: 0)
    out.fill(room) { free in
      let free = UnsafeMutableRawBufferPointer(rebasing: free[..<room])
      step = stream.step(bytes, from: at, into: free)
      return step.produced
    }
    return step
  }

  private static let voidBytes = 1 << 14

  private func discard(_ bytes: RawSpan, _ at: Int) -> DeflateStream.Step {
    withUnsafeTemporaryAllocation(byteCount: Self.voidBytes, alignment: 1) { void in
      stream.step(bytes, from: at, into: void)
    }
  }
}
