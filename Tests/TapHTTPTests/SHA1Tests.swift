// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import Testing

@testable import TapHTTP

@Suite struct SHA1Tests {
  /// RFC 3174 §7.3.
  @Test func vectors() {
    let digest = SHA1.digest(of: Array("abc".utf8).span.bytes).map { String($0, radix: 16) }
    #expect(
      digest.joined(separator: " ")
        == "a9 99 3e 36 47 6 81 6a ba 3e 25 71 78 50 c2 6c 9c d0 d8 9d")
  }

  /// At each length around the ends of blocks, as libcrypto has it.
  @Test func lengths() {
    for length in 0...200 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ length) }
      let digest = SHA1.digest(of: bytes.span.bytes)
      #expect(digest == HashFunction.sha1.digest(of: bytes))
    }
  }
}
