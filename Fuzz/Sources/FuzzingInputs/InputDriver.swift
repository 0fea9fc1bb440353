// SPDX-License-Identifier: Apache-2.0
public import Fuzzing
public import TapEvidence
public import TapTraffic

/// Runs libFuzzer on inputs. The first byte chooses the input, the limits, and how the rest, which
/// is the file, is split: the result must be the same as for the whole file.
public func drive(
  _ count: Int32, _ arguments: Arguments, inputs: [(Limits) -> (any Input)?]
) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let make = inputs[Int(mode >> 2) % inputs.count]
    let file = UnsafeRawBufferPointer(rebasing: bytes[1...])
    let seed = hash(file)
    let size = mode & 2 == 0 ? 1 + Int(seed % UInt64(file.count + 1)) : 1 + Int(seed & 63)
    func report(_ size: Int, isReadable: Bool) -> Story {
      let sink = SinkStory(isReadable: isReadable)
      guard var input = make(mode & 1 == 0 ? Limits() : .tight) else { return sink.story }
      for start in stride(from: 0, to: file.count, by: size) {
        let end = min(start + size, file.count)
        lend(UnsafeRawBufferPointer(rebasing: file[start..<end])) { input.receive($0, sink) }
      }
      input.finish(sink)
      return sink.story
    }
    let all = max(file.count, 1)
    if report(all, isReadable: false) != report(size, isReadable: false) {
      let (whole, cut) = (report(all, isReadable: true), report(size, isReadable: true))
      fail("in pieces of \(size):\n\(cut.text)\n\nwhole:\n\(whole.text)")
    }
  }
}
