// SPDX-License-Identifier: Apache-2.0
package import CLibcrypto

/// A cipher with its key, which decrypts records.
public final class Cipher {
  public enum Mode: Hashable, Sendable {
    /// AES in Galois/Counter Mode, with tags of 16 bytes (RFC 5116 §5).
    case gcm
    /// RFC 8439 §2.8, with tags of 16 bytes.
    case chaChaPoly
    /// AES in CCM, with lengths of three bytes (RFC 6655 §3).
    ///
    /// - Parameter tag: the length of the authentication tag in bytes.
    case ccm(tag: Int)
    /// AES in CBC; the caller handles the padding.
    case cbc
  }

  private let library: tap_crypto
  private let context: OpaquePointer
  private let mode: Mode

  /// Nil without libcrypto.
  public init?(_ mode: Mode, key: [UInt8]) {
    guard let library = Libcrypto.functions, let context = library.EVP_CIPHER_CTX_new() else {
      return nil
    }
    (self.library, self.context, self.mode) = (library, context, mode)
    let algorithm = Self.algorithm(library, mode, isLong: key.count == 32)
    guard library.EVP_DecryptInit_ex(context, algorithm, nil, nil, nil) == 1 else { return nil }
    if case .ccm(let tag) = mode {
      _ = library.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, nil)
      _ = library.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag), nil)
    }
    guard library.EVP_DecryptInit_ex(context, nil, nil, key, nil) == 1 else { return nil }
    _ = library.EVP_CIPHER_CTX_set_padding(context, 0)
  }

  deinit { library.EVP_CIPHER_CTX_free(context) }

  /// OpenSSL's name for a mode.
  package static func algorithm(
    _ library: tap_crypto, _ mode: Mode, isLong: Bool
  ) -> OpaquePointer? {
    switch mode {
    case .gcm: isLong ? library.EVP_aes_256_gcm() : library.EVP_aes_128_gcm()
    case .ccm: isLong ? library.EVP_aes_256_ccm() : library.EVP_aes_128_ccm()
    case .cbc: isLong ? library.EVP_aes_256_cbc() : library.EVP_aes_128_cbc()
    case .chaChaPoly: library.EVP_chacha20_poly1305()
    }
  }

  /// The length of the authentication tag in bytes.
  public var tagLength: Int {
    switch mode {
    case .gcm, .chaChaPoly: 16
    case .ccm(let tag): tag
    case .cbc: 0
    }
  }

  /// Decrypts and authenticates (AEAD).
  ///
  /// - Parameters:
  ///   - sealed: ciphertext and tag.
  ///   - nonce: 12 bytes.
  ///   - authenticated: the additional authenticated data.
  ///   - plain: room for the plaintext, which is valid only if the result is true.
  /// - Returns: whether it is authentic.
  public func open(
    _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
    _ authenticated: UnsafeRawBufferPointer, into plain: UnsafeMutableRawPointer
  ) -> Bool {
    let size = sealed.count - tagLength
    guard size >= 0, nonce.count == 12, let bytes = Self.bytes(sealed) else { return false }
    let tag = UnsafeMutableRawPointer(mutating: bytes + size)
    let plain = plain.assumingMemoryBound(to: UInt8.self)
    let setTag = { [library, context] (length: Int) in
      library.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(length), tag) == 1
    }
    var count: Int32 = 0
    if case .ccm(let length) = mode {
      // CCM needs the tag and the total length first, and verifies the tag with the content.
      return setTag(length)
        && library.EVP_DecryptInit_ex(context, nil, nil, nil, Self.bytes(nonce)) == 1
        && library.EVP_DecryptUpdate(context, nil, &count, nil, Int32(size)) == 1
        && add(authenticated)
        && library.EVP_DecryptUpdate(context, plain, &count, bytes, Int32(size)) == 1
    }
    return library.EVP_DecryptInit_ex(context, nil, nil, nil, Self.bytes(nonce)) == 1
      && add(authenticated)
      && library.EVP_DecryptUpdate(context, plain, &count, bytes, Int32(size)) == 1
      && setTag(16)
      && library.EVP_DecryptFinal_ex(context, plain + Int(count), &count) == 1
  }

  private func add(_ authenticated: UnsafeRawBufferPointer) -> Bool {
    var count: Int32 = 0
    return library.EVP_DecryptUpdate(
      context, nil, &count, Self.bytes(authenticated), Int32(authenticated.count)) == 1
  }

  /// Decrypts blocks of 16 bytes with CBC; the padding stays.
  ///
  /// - Parameter blocks: the initialization vector, followed by the blocks.
  public func decrypt(_ blocks: [UInt8]) -> [UInt8]? {
    guard blocks.count >= 32, blocks.count & 15 == 0 else { return nil }
    guard library.EVP_DecryptInit_ex(context, nil, nil, nil, blocks) == 1 else { return nil }
    let size = blocks.count - 16
    let plain = [UInt8](unsafeUninitializedCapacity: size) { plain, count in
      var written: Int32 = 0
      let isDone = blocks.withUnsafeBufferPointer {
        library.EVP_DecryptUpdate(
          context, plain.baseAddress, &written, $0.baseAddress! + 16, Int32(size))
      }
      count = isDone == 1 ? Int(written) : 0
    }
    return plain.count == size ? plain : nil
  }

  private static func bytes(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }
}
