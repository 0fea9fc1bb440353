// SPDX-License-Identifier: Apache-2.0
internal import CLibcrypto

/// The key stream of an AEAD mode, of which any byte can be had without those before it. What it
/// decrypts is not authenticated.
public final class KeyStream {
  private let library: tap_crypto
  private let context: OpaquePointer
  private let mode: Cipher.Mode

  /// Nil without libcrypto, and for CBC, which has none.
  public init?(_ mode: Cipher.Mode, key: [UInt8]) {
    guard mode != .cbc, let library = Libcrypto.functions,
      let context = library.EVP_CIPHER_CTX_new()
    else { return nil }
    (self.library, self.context, self.mode) = (library, context, mode)
    let algorithm =
      mode == .chaChaPoly
      ? library.EVP_chacha20()
      : key.count == 32 ? library.EVP_aes_256_ctr() : library.EVP_aes_128_ctr()
    guard library.EVP_DecryptInit_ex(context, algorithm, nil, key, nil) == 1 else { return nil }
  }

  deinit { library.EVP_CIPHER_CTX_free(context) }

  /// - Parameters:
  ///   - offset: the place in the content.
  ///   - nonce: 12 bytes.
  public func byte(at offset: Int, nonce: UnsafeRawBufferPointer) -> UInt8? {
    let size = mode == .chaChaPoly ? 64 : 16
    let block = UInt32(truncatingIfNeeded: offset / size)
    let place = offset % size
    // The first block of the counter, and 64 bytes of the stream.
    return withUnsafeTemporaryAllocation(byteCount: 16 + 64, alignment: 8) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0)
      let start =
        switch mode {
        case .gcm, .cbc: 0
        case .ccm: 1
        case .chaChaPoly: 4
        }
      for at in 0..<12 { room[start + at] = nonce[at] }
      switch mode {
      // NIST SP 800-38D §7.1: block 1 is for the tag.
      case .gcm, .cbc:
        room.storeBytes(of: (block &+ 2).bigEndian, toByteOffset: 12, as: UInt32.self)
      // RFC 3610 §2.3: block 0 is for the tag; the first byte says that the counter has three.
      case .ccm:
        room.storeBytes(of: (block &+ 1).bigEndian, toByteOffset: 12, as: UInt32.self)
        (room[0], room[12]) = (2, nonce[11])
      // RFC 8439 §2.8: block 0 is for the tag.
      case .chaChaPoly:
        room.storeBytes(of: (block &+ 1).littleEndian, toByteOffset: 0, as: UInt32.self)
      }
      let first = room.baseAddress!.assumingMemoryBound(to: UInt8.self)
      var count: Int32 = 0
      guard library.EVP_DecryptInit_ex(context, nil, nil, nil, first) == 1,
        library.EVP_DecryptUpdate(context, first + 16, &count, first + 16, Int32(place + 1)) == 1
      else { return nil }
      return first[16 + place]
    }
  }
}
