// SPDX-License-Identifier: Apache-2.0
import TapBytes
@testable import TapLogs
import Testing

@Suite struct XMLEntitiesTests {
  private static let declaration = "<?xml version='1.0'?>"

  /// What stands behind the declaration, and what is read of it.
  private static let texts = [
    ("<a>1 &lt; 2 &amp;&amp; 3 &gt; 2</a>", "<a>1 < 2 && 3 > 2</a>"),
    ("<a>&quot;&apos;&#34;&#x22;&#228;</a>", "<a>\"'\"\"ä</a>"),
    ("<a>&amp;amp;</a>", "<a>&amp;</a>"),
    ("<a b='&lt;>' c=\"'&gt;\">&lt;</a>", "<a b='&lt;>' c=\"'&gt;\"><</a>"),
    ("<a><!-- &lt; -> --&gt; -->&lt;</a>", "<a><!-- &lt; -> --&gt; --><</a>"),
    ("<a><![CDATA[&lt; ]] ]>]]]>&lt;</a>", "<a><![CDATA[&lt; ]] ]>]]]><</a>"),
    ("<!DOCTYPE a><a>&lt;</a>", "<!DOCTYPE a><a><</a>"),
    ("a < b &lt; c <= d &lt; <> &lt;", "a < b < c <= d < <> <"),
    (
      "&unknown; &; & &amp &#x110000; &#1234567890; &&lt;",
      "&unknown; &; & &amp &#x110000; &#1234567890; &<"
    ),
    // What ends a line stays, as places are counted in lines.
    ("a&#10;b&#13;c&#9;", "a&#10;b&#13;c&#9;"),
    ("no end &lt", "no end &lt"),
  ]

  private func replaced(_ text: String, pieces: Int) -> String {
    let octets = Array(text.utf8)
    var (entities, read) = (XMLEntities(), Scratch())
    for start in stride(from: 0, to: octets.count, by: pieces) {
      let piece = Array(octets[start..<min(start + pieces, octets.count)])
      entities.replace(piece.span.bytes, into: &read)
    }
    entities.finish(into: &read)
    return String(decoding: read.bytes.copied(), as: Unicode.UTF8.self)
  }

  @Test(arguments: texts) func document(_ text: (written: String, read: String)) {
    for pieces in [1, 2, 3, 5, 8, 1000] {
      #expect(
        replaced(Self.declaration + text.written, pieces: pieces)
          == Self.declaration + text.read, "in pieces of \(pieces) bytes")
    }
  }

  @Test(arguments: texts) func anyOtherText(_ text: (written: String, read: String)) {
    for beginning in ["", "<?xm", "<?xml2 ", " \(Self.declaration)", "<html>"] {
      #expect(replaced(beginning + text.written, pieces: 3) == beginning + text.written)
    }
  }
}
