// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Iterates over the options at the end of a block. It stops silently where a length exceeds the
/// block, as no packet depends on options.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +-------------------------------+-------------------------------+
///     |          option code          |         option length         |
///     +-------------------------------+-------------------------------+
///     /              option value, padded to 32 bits                  /
///     +---------------------------------------------------------------+
///
/// draft-ietf-opsawg-pcapng §3.5.
struct BlockOptions {
  struct Option {
    var code: UInt16
    /// The range of the value in the block.
    var value: ByteRange
  }

  private var at: Int

  init(from start: Int) { at = start }

  /// The next option in `body`, or nil after the last.
  mutating func next(in body: RawSpan, _ order: ByteOrder) -> Option? {
    guard at + 4 <= body.byteCount else { return nil }
    let code = order.uint16(body, at: at)
    let length = Int(order.uint16(body, at: at + 2))
    let start = at + 4
    guard code != 0, start + length <= body.byteCount else { return nil }
    at = start + ((length + 3) & ~3)
    return Option(code: code, value: ByteRange(start, start + length))
  }
}
