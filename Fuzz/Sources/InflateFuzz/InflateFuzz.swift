// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapInflate
import TapTraffic

/// Raw deflate messages, and gzip: the output does not depend on how the input is split, and a
/// limit does not change the output before it.
@_cdecl("InflateFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
    if mode & 1 == 0 { inflate(rest, mode) } else { gunzip(rest) }
  }
}

/// Each message follows two bytes of length.
private func inflate(_ script: UnsafeRawBufferPointer, _ mode: UInt8) {
  let bits = mode & 32 == 0 ? 15 : 8 + Int32(mode >> 1 & 7)
  guard let whole = Inflater(windowBits: bits), let cut = Inflater(windowBits: bits),
    let bound = Inflater(windowBits: bits)
  else { fail("no inflater for \(bits)") }
  if mode & 16 != 0 {
    let window = [UInt8](repeating: 0x61, count: 512)
    for one in [whole, cut, bound] { one.reset(window: window.span.bytes) }
  }
  var rest = script[...]
  while rest.count >= 2 {
    let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
    let message = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
    rest = rest.dropFirst(length)
    let seed = hash(message)
    let most = 1 << 16
    let once = run([message], whole, most)
    let place = Int(seed % UInt64(message.count + 1))
    let pieces = [message.prefix(place), message.dropFirst(place)].map {
      UnsafeRawBufferPointer(rebasing: $0)
    }
    let twice = run(pieces, cut, most)
    // zlib detects a distance beyond a smaller window only if the referenced output is not from the
    // same call.
    if bits < 15 { continue }
    if once.text != twice.text || once.outcome != twice.outcome {
      fail("\(once) but cut at \(place) \(twice)")
    }
    let less = Int(seed >> 32 & 0x1FF)
    let short = run([message], bound, less)
    if !once.text.starts(with: short.text) || short.text.count > less {
      fail("\(short) is no beginning of \(once)")
    }
    if once.outcome == .done {
      let isTooLong = once.text.count > less
      if isTooLong != (short.outcome == .tooLarge) { fail("\(short) of \(once)") }
    }
  }
}

private func run(
  _ pieces: [UnsafeRawBufferPointer], _ inflater: Inflater, _ limit: Int
) -> (text: [UInt8], outcome: Inflater.Outcome) {
  var text = Scratch()
  var outcome = Inflater.Outcome.done
  for piece in pieces {
    var at = 0
    var isOver = false
    while !isOver {
      isOver = true
      lend(UnsafeRawBufferPointer(rebasing: piece[at...])) { bytes in
        let answer = inflater.inflate(bytes, into: &text, limit: limit)
        if case .streamEnd(let consumed) = answer {
          if consumed < 0 || consumed > bytes.byteCount {
            fail("\(consumed) of \(bytes.byteCount)")
          }
          at += consumed
          isOver = consumed == 0 || at >= piece.count
        } else if outcome == .done || answer != .done {
          outcome = answer
        }
      }
    }
  }
  return (text.bytes.copied(), outcome)
}

private func gunzip(_ file: UnsafeRawBufferPointer) {
  func read(_ size: Int) -> (text: [UInt8], outcome: GunzipReader.Outcome) {
    guard let reader = GunzipReader() else { fail("no memory") }
    var text: [UInt8] = []
    for start in stride(from: 0, to: file.count, by: size) {
      let end = min(start + size, file.count)
      lend(UnsafeRawBufferPointer(rebasing: file[start..<end])) { chunk in
        // Truncate the output of decompression bombs.
        _ = reader.receive(chunk) { if text.count < 1 << 18 { text += $0.copied() } }
      }
    }
    let outcome = reader.finish()
    if reader.offset > UInt64(file.count) { fail("\(reader.offset) of \(file.count) octets") }
    return (text, outcome)
  }
  let whole = read(max(file.count, 1))
  let cut = read(1 + Int(hash(file) & 31))
  let count = min(whole.text.count, cut.text.count)
  if whole.outcome != cut.outcome || whole.text.prefix(count) != cut.text.prefix(count) {
    fail("\(whole.outcome), cut \(cut.outcome)")
  }
}
