// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTesting
import Testing

@Suite struct ReadingTests {
  @Test func lettersInEitherCase() {
    func check(_ lower: StaticString, _ text: [UInt8]) {
      for place in text.indices {
        for byte in UInt8.min...UInt8.max {
          var other = text
          other[place] = byte
          let isLetter = (0x41...0x5A).contains(byte)
          let isSame = (isLetter ? byte | 0x20 : byte) == text[place]
          let isFound = other.span.bytes.equals(lowered: lower)
          if isFound != isSame { Issue.record("\(byte) at \(place) of \(lower)") }
        }
      }
      let isLonger = (text + text).span.bytes.equals(lowered: lower)
      #expect(!isLonger)
    }
    check("host", Array("host".utf8))
    check("upgrade", Array("upgrade".utf8))
    check("sec-websocket-key{[@`", Array("sec-websocket-key{[@`".utf8))
  }

  @Test func base64LikeFoundation() {
    var random = Seeded(6)
    for length in 0...200 {
      let bytes = octets(length, &random)
      let expected = Data(bytes).base64EncodedString()
      let appended = written { Base64.append(bytes.span.bytes, to: &$0) }
      #expect(appended == expected)
      #expect(Base64.encoded(bytes.span.bytes) == Array(expected.utf8))
      var text = Array(expected.utf8)
      let isSame = Base64.isEncoded(bytes.span.bytes, as: text.span.bytes)
      #expect(isSame)
      guard let place = text.indices.randomElement(using: &random) else { continue }
      text[place] ^= 1
      let isOther = !Base64.isEncoded(bytes.span.bytes, as: text.span.bytes)
      #expect(isOther)
    }
  }

  @Test func base64Back() {
    var random = Seeded(7)
    for length in 0...200 {
      let bytes = octets(length, &random)
      let text = Data(bytes).base64EncodedString()
      for form in [text, text.replacing("=", with: ""), "\n " + text + "\r\n"] {
        var decoded = Scratch()
        #expect(Base64.decode(Array(form.utf8).span.bytes, into: &decoded) == nil)
        #expect(decoded.bytes.copied() == bytes)
      }
    }
  }

  @Test(arguments: [("Zm9v!", 4), ("Zg=A", 3), ("Z", 1), ("Zm9vZ", 5), ("-_", 0), ("é", 0)])
  func noBase64(text: String, at: Int) {
    var decoded = Scratch()
    #expect(Base64.decode(Array(text.utf8).span.bytes, into: &decoded) == at)
  }

  /// RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func base64Vectors(text: String, expected: String) {
    let bytes = Array(text.utf8)
    #expect(Base64.encoded(bytes.span.bytes) == Array(expected.utf8))
  }

  @Test func numbersInSpans() {
    let bytes: [UInt8] = [0xFF, 1, 2, 3, 4, 5, 6, 7, 8]
    let span = bytes.span.bytes
    let (one, two, four) = (span.byte(at: 0), span.uint16(at: 1), span.uint32(at: 1))
    let (eight, word) = (span.uint64(at: 1), span.word(at: 1))
    #expect(one == 0xFF && two == 0x0102 && four == 0x0102_0304)
    #expect(eight == 0x0102_0304_0506_0708 && word == 0x0807_0605_0403_0201)
    let (rest, part) = (span.dropping(7).copied(), span[ByteRange(1, 3)].copied())
    #expect(rest == [7, 8] && part == [1, 2])
    let (found, missed) = (span.firstIndex(of: 5), span.firstIndex(of: 5, from: 6))
    #expect(found == 5 && missed == nil)
  }

  @Test func comparesEveryLengthAndPlace() {
    for length in 0...20 {
      let bytes = [UInt8](repeating: 7, count: length)
      let same = bytes
      let isSame = bytes.span.bytes.equals(same.span.bytes)
      let longer = bytes + [7]
      let isLonger = bytes.span.bytes.equals(longer.span.bytes)
      #expect(isSame && !isLonger)
      for place in 0..<length {
        var other = bytes
        other[place] = 8
        let isOther = bytes.span.bytes.equals(other.span.bytes)
        #expect(!isOther)
      }
    }
    let text = Array("wamp.2.json".utf8)
    let span = text.span.bytes
    let answers = [
      span.equals("wamp.2.json"), span.equals("wamp.2.jso"), span.starts(with: "wamp."),
      span.starts(with: ""), span.starts(with: "wamp.2.json.batched"),
    ]
    #expect(answers == [true, false, true, true, false])
  }

  @Test func findsAnyOfEight() {
    let set: UInt64 = 0x0A5B_5758_2621_0A0A
    for count in [0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 130] {
      var bytes = [UInt8](repeating: 0x61, count: count)
      let nowhere = bytes.span.bytes.firstIndex(ofAny: set, from: 0)
      #expect(nowhere == count)
      for place in 0..<count {
        bytes[place] = [0x0A, 0x5B, 0x57, 0x58, 0x26, 0x21][place % 6]
        for start in [0, place / 2, place] {
          let found = bytes.span.bytes.firstIndex(ofAny: set, from: start)
          #expect(found == place)
          let places = bytes.span.bytes.places(ofAny: set, or: 0x0A, from: start)
          let expected = place - start < 64 ? UInt64(1) << UInt64(place - start) : 0
          #expect(places == expected)
          let ninth = bytes.span.bytes.places(ofAny: 0, or: bytes[place], from: start)
          #expect(ninth == expected)
          let three = bytes.span.bytes.places(
            ofThree: 0x0A0A_0000 | UInt32(bytes[place]), from: start)
          #expect(three == expected)
        }
        if place + 1 < count {
          let behind = bytes.span.bytes.places(ofAny: set, or: 0x0A, from: place + 1)
          #expect(behind == 0)
        }
        bytes[place] = 0x61
      }
    }
  }
}
