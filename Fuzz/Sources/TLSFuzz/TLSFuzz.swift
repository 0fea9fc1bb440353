// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapTLS
import TapTraffic

/// Records made from the input, encrypted with known or unknown keys, with gaps: each byte is
/// accounted for once or passed on, and only data that a side has encrypted is passed on, in order.
@_cdecl("TLSFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var made = MadeRecords(
      UnsafeRawBufferPointer(rebasing: bytes[1...]), Suite.all[Int(mode >> 5) % Suite.all.count])
    made.writeAll()
    made.writer.bytes.withUnsafeBytes { play($0, made, mode) }
  }
}

private func play(_ script: UnsafeRawBufferPointer, _ made: MadeRecords, _ mode: UInt8) {
  expectAccounted(
    script,
    // Limits count pieces too, so splits matter once they are reached.
    mayCut: { _ in mode & 2 == 0 },
    prepare: { bench in
      var places = [0, 0]
      bench.onBytes = { bytes, delivery, _ in
        let side = Int(delivery.origin.direction.rawValue)
        let sealed = made.sealed[side]
        let octets = bytes.withUnsafeBytes { Array($0) }
        guard let place = sealed[places[side]...].firstIndex(of: octets) else {
          fail("\(octets.count) octets \(delivery.origin.direction) that nobody sealed")
        }
        places[side] = place + 1
      }
    }
  ) { bench in
    let limits: Limits = mode & 2 == 0 ? .roomy : .tight
    let secrets = TLSSecrets(limits: limits)
    switch mode >> 2 & 3 {
    case 0, 1: made.suite.report(secrets)
    case 2:
      // Like a key log that is written while it is read.
      secrets.noteSource()
      var isWritten = false
      secrets.refresh = { [unowned secrets, unowned bench] in
        if isWritten || bench.fed < script.count / 2 { return }
        isWritten = true
        made.suite.report(secrets)
      }
    default: if mode & 16 != 0 { secrets.noteSource() }
    }
    return TLSLayer(
      Opening(.stream, isFromStart: mode & 1 == 0), bench, secrets: secrets, limits: limits)
  }
}
