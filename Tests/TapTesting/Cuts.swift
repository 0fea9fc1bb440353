// SPDX-License-Identifier: Apache-2.0

/// A seeded random number generator, so that a failing random test can be repeated.
public struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// SplitMix64.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Every way of splitting `bytes` that the chunking tests try: whole, byte by byte, each single
/// split, and 20 random sets of splits. For long inputs, single splits are sampled: together they
/// read about 200,000 bytes, but there are at least 40.
public func everyCut(of bytes: [UInt8]) -> [[[UInt8]]] {
  var ways = [[bytes], bytes.map { [$0] }]
  let most = min(400, max(40, 200_000 / max(1, bytes.count)))
  let step = max(1, bytes.count / most)
  for cut in stride(from: 1, to: max(bytes.count, 1), by: step) {
    ways.append([Array(bytes[..<cut]), Array(bytes[cut...])])
  }
  var random = Seeded(7)
  for _ in 0..<20 where bytes.count > 2 {
    let count = Int.random(in: 1...min(12, bytes.count - 1), using: &random)
    let cuts = Set((0..<count).map { _ in Int.random(in: 1..<bytes.count, using: &random) })
    var start = 0
    var pieces: [[UInt8]] = []
    for cut in cuts.sorted() + [bytes.count] {
      pieces.append(Array(bytes[start..<cut]))
      start = cut
    }
    ways.append(pieces)
  }
  return ways
}

/// The first way of splitting for which `reported` differs from that for the whole, or nil.
public func difference<Output: Equatable>(
  forEveryCutOf bytes: [UInt8], reported: ([[UInt8]]) -> Output
) -> (pieces: [Int], whole: Output, cut: Output)? {
  let whole = reported([bytes])
  for pieces in everyCut(of: bytes) {
    let cut = reported(pieces)
    if cut != whole { return (pieces.map(\.count), whole, cut) }
  }
  return nil
}
