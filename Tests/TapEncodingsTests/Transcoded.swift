// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// What became of some bytes.
struct Transcoded: Equatable, CustomStringConvertible {
  /// nil when there was a fault.
  var text: String?
  var end: Int?
  var fault: TranscodingFault?
  var peculiarities: [Peculiarity]

  init(
    _ octets: [UInt8], _ serializer: Serializer, maximumDepth: Int = 64,
    maximumBytes: Int = 1 << 20
  ) {
    var transcoder = Transcoder(maximumDepth: maximumDepth, maximumBytes: maximumBytes)
    self.init(octets, serializer, with: &transcoder)
  }

  /// With one that has been used before.
  init(_ octets: [UInt8], _ serializer: Serializer, with transcoder: inout Transcoder) {
    var buffer = TextBuffer(capacity: 64)
    buffer.append("before ")
    end = transcoder.transcode(octets.span.bytes, serializer, into: &buffer)
    let all = String(decoding: buffer.bytes.copied(), as: UTF8.self)
    text = end == nil ? nil : String(all.dropFirst(7))
    fault = transcoder.fault
    peculiarities = Array(transcoder.peculiarities)
    if end == nil && all != "before " { text = "left behind: \(all)" }
  }

  var kinds: [Peculiarity.Kind] { peculiarities.map(\.kind) }

  var description: String {
    "\(text ?? "nothing") to \(end ?? -1)"
      + (fault.map { ", fault \($0.problem) at \($0.offset)" } ?? "")
      + peculiarities.map { ", \($0.kind) \($0.value) at \($0.offset)" }.joined()
  }

  private typealias UTF8 = Unicode.UTF8
}

/// Bytes as hexadecimal digits, spaces allowed.
func hex(_ digits: some StringProtocol) -> [UInt8] {
  let values = digits.utf8.compactMap { digit -> UInt8? in
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
  return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}
