// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The scan of one JSON text for all recognisers that are asked about it, one after the other.
/// Where `begin` is called before each text, only the first of them scans; elsewhere each one does.
public final class SharedScan {
  /// The latest result.
  let scanner: Cell<JSONScanner>
  private var isShared = false
  /// The place in memory of the text that was scanned; nil for none.
  private var place: Range<UInt>?
  private var end: Int?

  public init(limits: Limits) { scanner = Cell(JSONScanner(maximumDepth: limits.nesting)) }

  /// Another text comes, maybe at the same place as the one before.
  public func begin() { (isShared, place) = (true, nil) }

  /// Whether all of a text is one JSON value.
  func isJSON(_ text: RawSpan) -> Bool {
    let this = unsafe text.withUnsafeBytes { bytes in
      let start = UInt(bitPattern: bytes.baseAddress)
      return start..<start &+ UInt(text.byteCount)
    }
    if !isShared || place != this {
      place = this
      end = scanner.value.scan(text)
    }
    return end == text.byteCount
  }
}
