// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapLibraries

/// Decrypts records. Whatever is returned was authenticated: a wrong key or sequence number, or one
/// changed byte, gives no result.
extension RecordKeys {
  /// The least overhead of a record over its content, in bytes.
  var leastOverhead: Int {
    switch suite.algorithm {
    case .gcm, .chaChaPoly: isTLS13 ? 17 : suite.algorithm == .gcm ? 24 : 16
    case .ccm(let tag): isTLS13 ? tag + 1 : tag + 8
    case .cbc(let hash): 16 + hash.length + 1
    }
  }

  /// Decrypts a record and appends its content to `plain`.
  ///
  /// - Parameters:
  ///   - record: header and fragment.
  ///   - sequence: the sequence number of the record with these keys.
  /// - Returns: the content type; nil, with `plain` unchanged, when the record cannot be decrypted.
  func open(_ record: RawSpan, sequence: UInt64, into plain: inout Scratch) -> UInt8? {
    let fragment = record.dropping(Record.headerSize)
    if fragment.byteCount < leastOverhead { return nil }
    let start = plain.count
    if isTLS13 {
      // RFC 8446 §5.2: the header is authenticated; the type follows the content.
      let header = record.extracting(0..<Record.headerSize)
      let isOpen = withUnsafeTemporaryAllocation(byteCount: 12, alignment: 8) { nonce in
        fill(nonce, sequence)
        return header.withUnsafeBytes {
          open(fragment, nonce: UnsafeRawBufferPointer(nonce), $0, into: &plain)
        }
      }
      if !isOpen { return nil }
      var end = plain.count
      while end > start && plain.bytes.byte(at: end - 1) == 0 { end -= 1 }
      // RFC 8446 §5.4: a record must not be only padding.
      if end == start {
        plain.truncate(start)
        return nil
      }
      let type = plain.bytes.byte(at: end - 1)
      plain.truncate(end - 1)
      return type
    }
    let type = record.byte(at: 0)
    if case .cbc(let hash) = suite.algorithm {
      return openCBC(record, hash, sequence, into: &plain) ? type : nil
    }
    return openAEAD(record, fragment, sequence, into: &plain) ? type : nil
  }

  /// Whether the last byte of a record may be what a record of TLS 1.3 ends with, a content type or
  /// padding (RFC 8446 §5.2). With wrong keys or numbers it rarely is, and it costs little to look:
  /// that of a large record as little as that of a small one.
  func mayOpen(_ record: RawSpan, sequence: UInt64) -> Bool {
    guard isTLS13, let stream else { return true }
    let last = record.byteCount - tagLength - 1
    if last < Record.headerSize { return false }
    let key = withUnsafeTemporaryAllocation(byteCount: 12, alignment: 8) { nonce in
      fill(nonce, sequence)
      return stream.byte(at: last - Record.headerSize, nonce: UnsafeRawBufferPointer(nonce))
    }
    guard let key else { return true }
    let end = record.byte(at: last) ^ key
    return end == 0 || Record.Kind.all.contains(end)
  }

  /// RFC 5246 §6.2.3.3, RFC 5288 §3, RFC 6655 §3, RFC 7905 §2.
  private func openAEAD(
    _ record: RawSpan, _ fragment: RawSpan, _ sequence: UInt64, into plain: inout Scratch
  ) -> Bool {
    let explicit = suite.algorithm == .chaChaPoly ? 0 : 8
    let sealed = fragment.dropping(explicit)
    let length = UInt16(sealed.byteCount - tagLength)
    // The nonce, followed by the additional authenticated data.
    return withUnsafeTemporaryAllocation(byteCount: 12 + 13, alignment: 8) { room in
      if explicit == 0 {
        fill(room, sequence)
      } else {
        for at in 0..<4 { room[at] = iv[at] }
        for at in 0..<8 { room[4 + at] = fragment.byte(at: at) }
      }
      room.storeBytes(of: sequence.bigEndian, toByteOffset: 12, as: UInt64.self)
      for at in 0..<3 { room[20 + at] = record.byte(at: at) }
      room.storeBytes(of: length.bigEndian, toByteOffset: 23, as: UInt16.self)
      let all = UnsafeRawBufferPointer(room)
      return open(
        sealed, nonce: UnsafeRawBufferPointer(rebasing: all[..<12]),
        UnsafeRawBufferPointer(rebasing: all[12...]), into: &plain)
    }
  }

  private var tagLength: Int { cipher?.tagLength ?? 0 }

  /// RFC 8446 §5.3, RFC 7905 §2: computes the nonce of 12 bytes.
  private func fill(_ nonce: UnsafeMutableRawBufferPointer, _ sequence: UInt64) {
    for at in 0..<4 { nonce[at] = iv[at] }
    for at in 0..<8 {
      nonce[4 + at] = iv[4 + at] ^ UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * at))
    }
  }

  private func open(
    _ sealed: RawSpan, nonce: UnsafeRawBufferPointer, _ authenticated: UnsafeRawBufferPointer,
    into plain: inout Scratch
  ) -> Bool {
    guard let cipher else { return false }
    let size = sealed.byteCount - tagLength
    var isOpen = false
    plain.fill(max(size, 1)) { room in
      isOpen = sealed.withUnsafeBytes {
        cipher.open($0, nonce: nonce, authenticated, into: room.baseAddress!)
      }
      return isOpen ? size : 0
    }
    return isOpen
  }

  /// RFC 5246 §6.2.3.2, and RFC 7366 if negotiated.
  private func openCBC(
    _ record: RawSpan, _ hash: HashFunction, _ sequence: UInt64, into plain: inout Scratch
  ) -> Bool {
    guard let macKey else { return false }
    let fragment = record.dropping(Record.headerSize).copied()
    let head = Self.octets(sequence) + record.extracting(0..<3).copied()
    let sealed = encryptsThenMACs ? fragment.dropLast(hash.length) : fragment[...]
    guard sealed.count >= 32, sealed.count & 15 == 0 else { return false }
    if encryptsThenMACs {
      let code = hash.authenticationCode(
        for: head + Self.octets(UInt16(sealed.count)) + sealed, key: macKey)
      guard code.elementsEqual(fragment.suffix(hash.length)) else { return false }
    }
    guard var content = cipher?.decrypt(Array(sealed)) else { return false }
    let padding = Int(content[content.count - 1])
    guard content.count > padding,
      content.suffix(padding + 1).allSatisfy({ $0 == UInt8(padding) })
    else { return false }
    content.removeLast(padding + 1)
    if !encryptsThenMACs {
      guard content.count >= hash.length else { return false }
      let code = Array(content.suffix(hash.length))
      content.removeLast(hash.length)
      guard
        hash.authenticationCode(
          for: head + Self.octets(UInt16(content.count)) + content, key: macKey) == code
      else { return false }
    }
    plain.append(content.span.bytes)
    return true
  }

  private static func octets(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }

  private static func octets(_ number: UInt16) -> [UInt8] {
    [UInt8(number >> 8), UInt8(number & 0xFF)]
  }
}
