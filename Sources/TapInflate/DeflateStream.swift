// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import TapBytes

/// The only place where zlib is called: a `z_stream` with a fixed address, and one step of it. It
/// keeps no inflated data beyond zlib's own window.
final class DeflateStream {
  enum Status {
    /// It did as much as room and input allowed.
    case progress
    /// After the final block, or the trailer of a gzip member.
    case end
    /// A distance refers to bytes before the first one since the last reset.
    case tooFarBack
    case corrupt
  }

  struct Step {
    var status: Status
    /// The number of input bytes used.
    var consumed: Int
    /// The number of output bytes written.
    var produced: Int
  }

  private let stream: UnsafeMutablePointer<z_stream>

  /// - Parameter windowBits: as for `inflateInit2`: negative for raw deflate, 31 for gzip. Nil when
  ///   zlib does not accept it or has no memory.
  init?(windowBits: Int32) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard tap_inflate_init(stream, windowBits) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Inflates from `start` on until the input is used up or `room` is full.
  func step(_ bytes: RawSpan, from start: Int, into room: UnsafeMutableRawBufferPointer) -> Step {
    let most = Int(UInt32.max)
    let given = min(bytes.byteCount - start, most)
    let free = min(room.count, most)
    let status = bytes.withUnsafeBytes { source in
      // zlib does not write through `next_in`; its header lacks the `const` for old compilers.
      stream.pointee.next_in = source.baseAddress.map {
        UnsafeMutablePointer(mutating: ($0 + start).assumingMemoryBound(to: UInt8.self))
      }
      stream.pointee.avail_in = UInt32(given)
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(free)
      defer {
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
      }
      return CZlib.inflate(stream, Z_NO_FLUSH)
    }
    return Step(
      status: meaning(of: status), consumed: given - Int(stream.pointee.avail_in),
      produced: free - Int(stream.pointee.avail_out))
  }

  /// Begins a raw stream whose distances may refer to `octets`, as if these had been inflated.
  func prime(_ octets: RawSpan) {
    inflateReset(stream)
    octets.withUnsafeBytes { octets in
      let start = octets.baseAddress!.assumingMemoryBound(to: UInt8.self)
      inflateSetDictionary(stream, start, UInt32(octets.count))
    }
  }

  /// Whether the bytes so far end at a block boundary (zlib.h, `data_type` of inflate).
  var isBetweenBlocks: Bool { stream.pointee.data_type & (128 | 7) == 128 }

  /// Forgets everything, including the window.
  func reset() { inflateReset(stream) }

  /// Prepares for a new stream that may refer to earlier data (RFC 7692 §7.2.3.4 allows a final
  /// block in the middle of a context).
  func restartKeepingWindow() {
    var window = Scratch()
    copyWindow(into: &window)
    inflateReset(stream)
    if !window.isEmpty { prime(window.bytes) }
  }

  /// Appends the window, which later bytes may refer to, at most 32 KiB.
  func copyWindow(into out: inout Scratch) {
    out.fill(1 << 15) { room in
      var length: UInt32 = 0
      let start = room.baseAddress!.assumingMemoryBound(to: UInt8.self)
      return inflateGetDictionary(stream, start, &length) == Z_OK ? Int(length) : 0
    }
  }

  private func meaning(of status: Int32) -> Status {
    switch status {
    // Z_BUF_ERROR: no input left or no room left; not an error (zlib.h).
    case Z_OK, Z_BUF_ERROR: .progress
    case Z_STREAM_END: .end
    default: isTooFarBack ? .tooFarBack : .corrupt
    }
  }

  /// zlib has one status for all damage; only its message distinguishes this case.
  private var isTooFarBack: Bool {
    guard let message = stream.pointee.msg else { return false }
    return String(cString: message) == "invalid distance too far back"
  }
}
