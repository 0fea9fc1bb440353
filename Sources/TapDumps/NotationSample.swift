// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What the beginning of a text stands for in some notation. It is the same for every way in which
/// the text may arrive, once `isEnough`.
struct NotationSample<Form: Notation> {
  /// What it counted.
  private(set) var form = Form()
  /// The bytes before the first that is not known, or that belongs to something else.
  private(set) var octets: ContiguousArray<UInt8> = []
  /// What is no byte, up to a remark or what belongs to something else.
  private(set) var badDigits = 0
  /// A remark stands before any byte.
  private(set) var beginsForeign = false
  /// Behind `octets`, others follow or are missing.
  private(set) var isCut = false
  /// Nothing that follows will be looked at.
  let isEnough: Bool

  private let isWhole: Bool

  /// How much of a text is looked at.
  static var most: Int { 4096 }

  /// - Parameter isAll: nothing follows `head`.
  init(_ head: RawSpan, isAll: Bool) {
    isWhole = isAll && head.byteCount < Self.most
    isEnough = isAll || head.byteCount >= Self.most
    var marks: ContiguousArray<Mark> = []
    for at in 0..<min(head.byteCount, Self.most) { form.step(head.byte(at: at), &marks) }
    if isWhole { form.finish(&marks) }
    for mark in marks {
      switch mark {
      case .octet(let octet): if !isCut { octets.append(octet) }
      case .hole(_, let trouble):
        if trouble == .badDigit { badDigits += 1 }
        isCut = true
      case .block where octets.isEmpty && !isCut: break
      case .remark where octets.isEmpty && !isCut: beginsForeign = true
      case .block, .remark:
        isCut = true
        return
      }
    }
  }

  /// As what the bytes begin.
  var shape: OctetShape { OctetShape.recognise(octets.span.bytes, isAll: isWhole && !isCut) }

  /// Whether they begin as something we read, beyond doubt.
  var isEvidence: Bool { shape != .unknown && shape != .frameHeader }
}
