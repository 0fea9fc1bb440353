// SPDX-License-Identifier: Apache-2.0
package import CLibcrypto

/// OpenSSL's libcrypto.
public enum Libcrypto {
  /// Nil when it cannot be loaded.
  package static let functions: tap_crypto? =
    SharedLibrary.libcrypto.load(tap_crypto()) { tap_crypto_find(&$0, $1) != 0 }

  /// Loads the library; whether it can be used.
  public static var isLoaded: Bool { functions != nil }

  /// `OpenSSL 3.0.17 1 Jul 2025`; nil without the library.
  public static var version: String? {
    functions.flatMap { $0.OpenSSL_version(OPENSSL_VERSION) }.map { String(cString: $0) }
  }

  /// Whether an Ed25519 signature (RFC 8032) of `content` is valid for the key; nil without the
  /// library.
  ///
  /// - Parameter key: the 32 bytes of the public key.
  public static func isSigned(_ content: [UInt8], _ signature: [UInt8], key: [UInt8]) -> Bool? {
    guard let library = functions else { return nil }
    guard let key = library.EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count)
    else { return false }
    defer { library.EVP_PKEY_free(key) }
    guard let context = library.EVP_MD_CTX_new() else { return nil }
    defer { library.EVP_MD_CTX_free(context) }
    guard library.EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return nil }
    return library.EVP_DigestVerify(
      context, signature, signature.count, content, content.count) == 1
  }
}

/// The hash functions of cipher suites.
public enum HashFunction: Hashable, Sendable {
  case sha1, sha256, sha384

  /// The digest length in bytes.
  public var length: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    }
  }

  /// HMAC (RFC 2104); empty without libcrypto.
  public func authenticationCode(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    guard let library = Libcrypto.functions else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { code, count in
      var written: UInt32 = 0
      let isDone = library.HMAC(
        algorithm(library), key, Int32(key.count), bytes, bytes.count, code.baseAddress, &written)
      count = isDone == nil ? 0 : Int(written)
    }
  }

  /// Empty without libcrypto.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    guard let library = Libcrypto.functions else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { digest, count in
      let isDone = library.EVP_Digest(
        bytes, bytes.count, digest.baseAddress, nil, algorithm(library), nil)
      count = isDone == 1 ? length : 0
    }
  }

  private func algorithm(_ library: tap_crypto) -> OpaquePointer? {
    switch self {
    case .sha1: library.EVP_sha1()
    case .sha256: library.EVP_sha256()
    case .sha384: library.EVP_sha384()
    }
  }
}
