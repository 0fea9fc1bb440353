// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The exchange ids in a message, and their keys.
struct JSONExchange {
  let count: Int
  /// The key of the first.
  let first: UInt64
  /// Several open exchanges may be meant, so it is joined with none.
  var isAmbiguous = false
  private let only: ByteRange
  /// For a list of several ids.
  private let all: [(range: ByteRange, key: UInt64)]

  /// - Parameters:
  ///   - id: one id, or a list of them.
  ///   - scope: of the value within which ids are unique, its identity.
  ///   - salt: keeps ids of different kinds apart.
  init(_ id: JSONElement?, scope: UInt64? = nil, salt: UInt64 = 0, _ bytes: RawSpan) {
    func key(_ id: JSONElement) -> UInt64 {
      let key = id.identity(in: bytes) ^ salt
      guard let scope else { return key }
      return key &* 0x9E37_79B9_7F4A_7C15 ^ scope
    }
    guard let id else {
      (count, first, only, all) = (0, 0, ByteRange(), [])
      return
    }
    if id.kind == .array {
      all = JSONProtocolReader.ids(in: id, bytes).map { ($0.text, key($0)) }
      (count, first, only) = (all.count, all.first?.key ?? 0, all.first?.range ?? ByteRange())
    } else {
      (count, first, only, all) = (1, key(id), id.text, [])
    }
  }

  /// An exchange without an id, identified by its order.
  init(unnamed key: UInt64) { (count, first, only, all) = (1, key, ByteRange(), []) }

  var isEmpty: Bool { count == 0 }

  /// The id's range in the message, without quotes.
  func range(_ index: Int) -> ByteRange { index == 0 ? only : all[index].range }
  func key(_ index: Int) -> UInt64 { index == 0 ? first : all[index].key }
}
