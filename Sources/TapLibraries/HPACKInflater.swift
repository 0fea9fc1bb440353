// SPDX-License-Identifier: Apache-2.0
internal import CNghttp2

/// Decodes the field sections of one direction of HTTP/2 (RFC 7541) with libnghttp2.
public final class HPACKInflater {
  public typealias Field = (name: [UInt8], value: [UInt8])

  private static let functions: tap_nghttp2? =
    SharedLibrary.libnghttp2.load(tap_nghttp2()) { tap_nghttp2_find(&$0, $1) != 0 }

  /// `1.52.0`; nil without libnghttp2.
  public static var version: String? {
    functions.flatMap { $0.version(0) }.map { String(cString: $0.pointee.version_str) }
  }

  private let library: tap_nghttp2
  private let inflater: OpaquePointer

  /// Nil without libnghttp2.
  public init?() {
    guard let library = Self.functions else { return nil }
    var inflater: OpaquePointer?
    guard library.hd_inflate_new(&inflater) == 0, let inflater else { return nil }
    (self.library, self.inflater) = (library, inflater)
  }

  deinit { library.hd_inflate_del(inflater) }

  /// Sets the size of the dynamic table that the receiver allows (SETTINGS_HEADER_TABLE_SIZE), in
  /// bytes.
  public func allow(_ bytes: Int) {
    _ = library.hd_inflate_change_table_size(inflater, bytes)
  }

  /// The fields of one section; nil when it cannot be decoded, and then no later section can.
  ///
  /// - Parameter most: the limit for all fields in bytes, each counted with 32 more as in the
  ///   table.
  public func fields(_ block: [UInt8], most: Int) -> [Field]? {
    var fields: [Field] = []
    var total = 0
    return block.withUnsafeBufferPointer { bytes in
      var at = 0
      while true {
        var field = nghttp2_nv()
        var flags: Int32 = 0
        let taken = library.hd_inflate_hd2(
          inflater, &field, &flags, bytes.baseAddress.map { $0 + at }, bytes.count - at, 1)
        if taken < 0 { return nil }
        at += taken
        if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
          total += field.namelen + field.valuelen + 32
          if total > most { return nil }
          fields.append(
            (
              Array(UnsafeBufferPointer(start: field.name, count: field.namelen)),
              Array(UnsafeBufferPointer(start: field.value, count: field.valuelen))
            ))
        } else if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
          _ = library.hd_inflate_end_headers(inflater)
          return fields
        } else if at == bytes.count {
          return nil
        }
      }
    }
  }
}
