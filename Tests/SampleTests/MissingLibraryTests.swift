// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

#if os(Linux)
  /// Libraries that are loaded when they are needed may be missing, or damaged, which is the same.
  @Suite("Missing libraries", .serialized) struct MissingLibraryTests {
    /// The program's output where these libraries are empty files.
    private func output(_ words: String, without libraries: String...) throws -> Program.Outcome {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for library in libraries { try Data().write(to: folder.appending(path: library)) }
      try Data("mask: [a]\n".utf8).write(to: folder.appending(path: "names.yaml"))
      return try Program.shell(
        "export LD_LIBRARY_PATH='\(folder.path)'; \"$wamptap\" \(words)", in: Sample.root)
    }

    @Test("of TLS: it stays closed, and why is said") func crypto() throws {
      let outcome = try output(
        "--keylog tls/suites/input.keys tls/suites/input-gcm.pcap", without: "libcrypto.so.3")
      #expect(outcome.output.contains("tls.library-missing"))
      #expect(
        outcome.output.contains(
          "stays closed: libcrypto cannot be loaded; install it: sudo apt install libssl3, or"))
      #expect(!outcome.output.contains("tls.key-missing"))
      #expect(!outcome.output.contains("HELLO"))
      #expect(outcome.output.contains("bytes of closed TLS records"))
    }

    @Test("of TLS: without secrets it is not asked for") func closed() throws {
      let outcome = try output("tls/no-key/input.pcap", without: "libcrypto.so.3")
      #expect(outcome.output.contains("tls.no-secrets"))
      #expect(!outcome.output.contains("libcrypto"))
    }

    @Test("of signatures: they are not checked, and why is said") func signatures() throws {
      let outcome = try output("-vv wamp/proofs/input.pcap", without: "libcrypto.so.3")
      #expect(outcome.output.contains("wamp.signature-unchecked"))
      #expect(outcome.output.contains("a signature is not checked: libcrypto cannot be loaded"))
    }

    @Test("of HTTP/2: fields cannot be read, and why is said") func http2() throws {
      let outcome = try output(
        "http2/prior-knowledge/input.pcap", without: "libnghttp2.so.14")
      #expect(outcome.output.contains("http2.headers-lost"))
      #expect(outcome.output.contains("as libnghttp2 cannot be loaded; install it: sudo apt"))
    }

    @Test("of names files: they are refused, and why is said") func names() throws {
      let outcome = try output(
        "--names \"$LD_LIBRARY_PATH/names.yaml\" '[33,1,2]'", without: "libyaml-0.so.2")
      #expect(outcome.status == 2)
      #expect(outcome.complaints.contains("libyaml cannot be loaded; install it: sudo apt"))
    }

    @Test("doctor says so") func doctor() throws {
      let outcome = try output(
        "doctor", without: "libcrypto.so.3", "libnghttp2.so.14", "libyaml-0.so.2")
      for name in ["libcrypto", "libnghttp2", "libyaml"] {
        #expect(outcome.output.contains("warning  \(name) cannot be loaded: "))
      }
      #expect(outcome.status == 0)
    }
  }
#endif
