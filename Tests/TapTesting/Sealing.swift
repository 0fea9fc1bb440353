// SPDX-License-Identifier: Apache-2.0
internal import CLibcrypto
public import TapLibraries

extension Cipher.Mode {
  /// Encrypts with libcrypto: returns the ciphertext, followed by the tag if the mode has one.
  ///
  /// - Parameters:
  ///   - nonce: 12 bytes, or for CBC the initialization vector of 16.
  ///   - authenticated: the additional authenticated data.
  public func seal(
    _ content: [UInt8], key: [UInt8], nonce: [UInt8], authenticated: [UInt8] = []
  ) -> [UInt8] {
    let library = Libcrypto.functions!
    let context = library.EVP_CIPHER_CTX_new()
    defer { library.EVP_CIPHER_CTX_free(context) }
    func check(_ result: Int32) { precondition(result == 1, "libcrypto refuses") }
    let algorithm = Cipher.algorithm(library, self, isLong: key.count == 32)
    check(library.EVP_EncryptInit_ex(context, algorithm, nil, nil, nil))
    var tag = [UInt8](repeating: 0, count: 16)
    if case .ccm(let length) = self {
      tag = [UInt8](repeating: 0, count: length)
      check(library.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, nil))
      check(library.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(length), nil))
    }
    check(library.EVP_EncryptInit_ex(context, nil, nil, key, nonce))
    check(library.EVP_CIPHER_CTX_set_padding(context, 0))
    var count: Int32 = 0
    var sealed = [UInt8](repeating: 0, count: content.count + 16)
    if case .ccm = self {
      check(library.EVP_EncryptUpdate(context, nil, &count, nil, Int32(content.count)))
    }
    if self != .cbc {
      check(
        library.EVP_EncryptUpdate(
          context, nil, &count, authenticated, Int32(authenticated.count)))
    }
    check(library.EVP_EncryptUpdate(context, &sealed, &count, content, Int32(content.count)))
    var rest = [UInt8](repeating: 0, count: 16)
    var more: Int32 = 0
    check(library.EVP_EncryptFinal_ex(context, &rest, &more))
    sealed.removeLast(sealed.count - Int(count))
    sealed += rest.prefix(Int(more))
    if self == .cbc { return sealed }
    check(library.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag))
    return sealed + tag
  }
}
