// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Inflates one direction of permessage-deflate (RFC 7692), message after message, with or without
/// context takeover. It does not know messages: for each one its user passes the payload, then the
/// bytes 00 00 FF FF that the sender took away (§7.2.2).
///
/// What it gives is never wrong: a distance that points before the first byte seen since `reset`
/// is answered with `unknownContext`, not with made-up text. After `corrupt` and `unknownContext`
/// every call answers the same until `reset`; what stands before the damage has been appended.
public final class Inflater {
  public enum Outcome: Sendable, Equatable {
    /// All of the input was used.
    case done
    /// A final block (BFINAL) ended after `consumed` bytes of the input. The window is kept; the
    /// caller goes on with the rest, if there is one.
    case streamEnd(consumed: Int)
    /// The output would pass `limit`. It was filled up to there; all of the input was inflated all
    /// the same, into nothing, so that the next message finds the window it refers to.
    case tooLarge
    /// The input refers to bytes that were never seen: the capture began in the middle, or
    /// messages before this one are missing.
    case unknownContext
    /// No deflate stream (RFC 1951).
    case corrupt
  }

  private let stream: DeflateStream
  /// All of the input makes whole blocks: another may begin behind it.
  public var isBetweenBlocks: Bool { stream.isBetweenBlocks }
  /// A final block was the last of the input: what follows begins anew. A message that ends here
  /// lacks the byte that RFC 7692 §7.2.3.4 asks for, so that the tail does not belong to it.
  public private(set) var isAtStreamEnd = false

  /// Raw deflate.
  ///
  /// - Parameter windowBits: 8 to 15, base-2 logarithm of the window as negotiated. Answers nil
  ///   for other values, or when there is no memory.
  public init?(windowBits: Int32) {
    guard (8...15).contains(windowBits) else { return nil }
    // zlib's deflate cannot make raw streams for a window of 256 bytes, old versions of it
    // silently used 512 instead.
    guard let stream = DeflateStream(windowBits: -max(9, windowBits)) else { return nil }
    self.stream = stream
  }

  /// Inflates `bytes` and appends to `out`.
  ///
  /// - Parameter limit: how many bytes `out` may hold afterwards, those before this call included.
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
        // What is too large has no reader any more: the rest of it only feeds the window.
        if !isTooLarge { return .streamEnd(consumed: at) }
      }
    }
    return isTooLarge ? .tooLarge : .done
  }

  /// Appends what later messages may refer to, at most 32 KiB. Between blocks it is all that
  /// another inflater needs to go on from here (`reset(window:)`).
  public func copyWindow(into out: inout Scratch) { stream.copyWindow(into: &out) }

  /// Forgets the window, and takes bytes for it that stand for those that are not known.
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
      // Output that was not full means that nothing waits inside zlib.
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
