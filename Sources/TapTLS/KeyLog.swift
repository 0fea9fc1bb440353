// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Reads a key log as NSS, OpenSSL, BoringSSL and others write it (RFC 9850), in pieces of any
/// size. A line has a label, the client random and a secret, the latter two in hex. Other lines are
/// ignored, as the format requires.
public struct KeyLog {
  /// The longest possible line: label, random, a secret of 64 bytes.
  private static let mostOctets = 512

  private var line = Scratch()
  private var isTooLong = false

  public init() {}

  /// The next bytes of the log.
  public mutating func receive(_ bytes: RawSpan, into secrets: TLSSecrets) {
    var at = 0
    while at < bytes.byteCount {
      let end = bytes.firstIndex(of: 0x0A, from: at)
      let part = bytes.extracting(at..<(end ?? bytes.byteCount))
      if line.count + part.byteCount > Self.mostOctets {
        isTooLong = true
      } else {
        line.append(part)
      }
      guard let end else { return }
      finish(into: secrets)
      at = end + 1
    }
  }

  /// Reads the last line even without its line end; if more of it comes, it is read again.
  ///
  /// - Parameter isEnd: nothing more will be written. Otherwise a secret of 32 bytes is ignored, as
  ///   it may be the beginning of one of 48.
  public func peek(into secrets: TLSSecrets, isEnd: Bool = true) {
    if !isTooLong { Self.read(line.bytes.copied(), into: secrets, least: isEnd ? 32 : 48) }
  }

  private mutating func finish(into secrets: TLSSecrets) {
    peek(into: secrets)
    line.removeAll()
    isTooLong = false
  }

  private static func read(_ line: [UInt8], into secrets: TLSSecrets, least: Int) {
    let words = line.split { $0.isWSP || $0 == 0x0D }
    guard words.count == 3,
      let label = TLSSecrets.Label(rawValue: String(decoding: words[0], as: Unicode.UTF8.self)),
      let random = octets(words[1]), random.count == 32,
      let secret = octets(words[2]),
      // A master secret has 48 bytes, TLS 1.3 secrets have the hash's length.
      secret.count == 48 || secret.count == 32 && label != .clientRandom && least == 32
    else { return }
    secrets.add(secret, label, random)
  }

  private static func octets(_ word: ArraySlice<UInt8>) -> [UInt8]? { word.span.bytes.hexOctets() }
}
