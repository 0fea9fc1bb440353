// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

/// OpenSSL's libcrypto is loaded when a TLS record is decrypted or a signature is checked, not when
/// the program starts. The types are those of its headers. The last three encrypt, for tests.
#define TAP_CRYPTO(function)                                                                       \
  function(OpenSSL_version) function(EVP_sha1) function(EVP_sha256) function(EVP_sha384)           \
  function(EVP_Digest) function(HMAC)                                                              \
  function(EVP_aes_128_gcm) function(EVP_aes_256_gcm) function(EVP_aes_128_ccm)                    \
  function(EVP_aes_256_ccm) function(EVP_aes_128_cbc) function(EVP_aes_256_cbc)                    \
  function(EVP_aes_128_ctr) function(EVP_aes_256_ctr) function(EVP_chacha20)                       \
  function(EVP_chacha20_poly1305) function(EVP_CIPHER_CTX_new) function(EVP_CIPHER_CTX_free)       \
  function(EVP_CIPHER_CTX_ctrl) function(EVP_CIPHER_CTX_set_padding) function(EVP_DecryptInit_ex)  \
  function(EVP_DecryptUpdate) function(EVP_DecryptFinal_ex) function(EVP_PKEY_new_raw_public_key)  \
  function(EVP_PKEY_free) function(EVP_MD_CTX_new) function(EVP_MD_CTX_free)                       \
  function(EVP_DigestVerifyInit) function(EVP_DigestVerify)                                        \
  function(EVP_EncryptInit_ex) function(EVP_EncryptUpdate) function(EVP_EncryptFinal_ex)

typedef struct {
#define TAP_CRYPTO_FIELD(name) __typeof__(&name) name;
  TAP_CRYPTO(TAP_CRYPTO_FIELD)
#undef TAP_CRYPTO_FIELD
} tap_crypto;

/// Finds every function in the library; returns whether all were found.
static inline int tap_crypto_find(tap_crypto *library, void *handle) {
#define TAP_CRYPTO_FIND(name)                                                                      \
  library->name = (__typeof__(&name))dlsym(handle, #name);                                         \
  if (!library->name) return 0;
  TAP_CRYPTO(TAP_CRYPTO_FIND)
#undef TAP_CRYPTO_FIND
  return 1;
}
