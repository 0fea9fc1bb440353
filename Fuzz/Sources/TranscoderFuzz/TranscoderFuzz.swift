// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapEncodings

/// The first byte chooses the serializer of the rest. A valid value becomes JSON within the limit;
/// otherwise there is a fault inside the message. A reused transcoder gives the same result.
@_cdecl("TranscoderFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  var used = Transcoder(maximumDepth: 16, maximumBytes: 1 << 16)
  return drive(count, arguments) { bytes in
    guard let first = bytes.first else { return }
    lend(UnsafeRawBufferPointer(rebasing: bytes[1...])) { message in
      let serializer = Serializer.allCases[Int(first & 3)]
      check(message, serializer, &used)
      var text = TextBuffer()
      if serializer == .ubjson { _ = used.dialect(ofUBJSON: message, &text) }
      for form in [Batch.Form.separated, .prefixed] { split(message, form) }
    }
  }
}

private func check(_ message: RawSpan, _ serializer: Serializer, _ used: inout Transcoder) {
  var fresh = Transcoder(maximumDepth: 16, maximumBytes: 1 << 16)
  var text = TextBuffer()
  var again = TextBuffer()
  let end = fresh.transcode(message, serializer, into: &text)
  let other = used.transcode(message, serializer, into: &again)
  if end != other || fresh.fault != used.fault || !text.bytes.equals(again.bytes)
    || fresh.peculiarities != used.peculiarities
  {
    fail("a used transcoder says something else")
  }
  for found in fresh.peculiarities where found.offset > message.byteCount {
    fail("\(found.description): behind the message")
  }
  guard let end else {
    guard let fault = fresh.fault, fault.offset <= message.byteCount, text.isEmpty else {
      fail("no value, and no fault or some text")
    }
    return
  }
  // One value may exceed the limit that the text had not reached before.
  if text.count > (1 << 16) + message.byteCount * 8 { fail("\(text.count) octets of text") }
  var scanner = JSONScanner(maximumDepth: 16)
  guard scanner.scan(text.bytes) == text.count, UTF8.firstInvalid(in: text.bytes) == nil else {
    fail("no JSON: \(String(decoding: text.bytes.copied(), as: Unicode.UTF8.self))")
  }
  // The bytes up to the returned end give the same result.
  text.removeAll()
  if fresh.transcode(message.extracting(0..<end), serializer, into: &text) != end
    || !text.bytes.equals(again.bytes)
  {
    fail("what follows the value makes a difference")
  }
}

private func split(_ message: RawSpan, _ form: Batch.Form) {
  var batch = Batch(form)
  var last = 0
  while let range = batch.next(message) {
    if range.lowerBound < last || range.isEmpty || range.upperBound > message.byteCount {
      fail("\(range) behind \(last)")
    }
    last = range.upperBound
  }
  if batch.count == 0 && batch.problem == nil { fail("nothing, and nothing wrong") }
}
