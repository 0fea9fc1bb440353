// SPDX-License-Identifier: Apache-2.0
import TapHTTP
import Testing

@Suite struct SOCKSHandshakeTests {
  private static let version4: [UInt8] = [4, 1, 0x1F, 0x90, 127, 0, 0, 1, 0x61, 0]
  private static let granted: [UInt8] = [0, 0x5A, 0, 0, 0, 0, 0, 0]
  private static let named: [UInt8] = [4, 1, 0x1F, 0x90, 0, 0, 0, 1, 0, 0x61, 0x62, 0]
  private static let request: [UInt8] = [5, 1, 0, 1, 127, 0, 0, 1, 0x1F, 0x90]
  private static let nameRequest: [UInt8] = [5, 1, 0, 3, 2, 0x61, 0x62, 0x1F, 0x90]
  private static let reply: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 4, 0]
  private static let password: [UInt8] = [1, 1, 0x61, 2, 0x62, 0x63]

  /// - Parameters:
  ///   - client: what it sends by turns with the proxy, and first.
  ///   - proxy: what it answers.
  private func answers(client: [[UInt8]], proxy: [[UInt8]]) -> [SOCKSHandshake.Answer] {
    var (sent, heard): ([UInt8], [UInt8]) = ([], [])
    var answers: [SOCKSHandshake.Answer] = []
    for (asked, answered) in zip(client, proxy) {
      for byte in asked {
        sent.append(byte)
        answers.append(SOCKSHandshake.recognise(client: sent.span.bytes, proxy: heard.span.bytes))
      }
      for byte in answered {
        heard.append(byte)
        answers.append(SOCKSHandshake.recognise(client: sent.span.bytes, proxy: heard.span.bytes))
      }
    }
    return answers
  }

  /// Byte by byte, the last of them tells.
  @Test(
    arguments: [
      ([version4], [granted], 10, 8),
      ([named], [granted], 12, 8),
      ([[5, 1, 0], request], [[5, 0], reply], 13, 12),
      ([[5, 2, 0, 2], password, nameRequest], [[5, 2], [1, 0], reply], 19, 14),
    ] as [([[UInt8]], [[UInt8]], Int, Int)])
  func connected(client: [[UInt8]], proxy: [[UInt8]], ofClient: Int, ofProxy: Int) {
    let answers = answers(client: client, proxy: proxy)
    #expect(answers.dropLast().allSatisfy { $0 == .needsMore })
    #expect(answers.last == .connected(client: ofClient, proxy: ofProxy))
  }

  @Test(
    arguments: [
      // Another command, no port, bytes that come too early.
      ([[4, 2, 0x1F, 0x90, 127, 0, 0, 1, 0]], [[]]),
      ([[4, 1, 0, 0, 0x7B, 0x22, 0x61, 0x22, 0]], [[]]),
      ([version4 + [0x7F]], [[]]),
      ([[5, 1, 0] + request], [[]]),
      // Refused; a choice that was not offered; a wrong password; another version.
      ([version4], [[0, 0x5B]]),
      ([[5, 1, 0]], [[5, 0xFF]]),
      ([[5, 1, 0]], [[5, 2]]),
      ([[5, 1, 2], password], [[5, 2], [1, 1]]),
      ([[5, 1, 0], request], [[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]]),
      ([[5, 1, 0], [4]], [[5, 0], []]),
      ([[0x10]], [[]]),
    ] as [([[UInt8]], [[UInt8]])])
  func none(client: [[UInt8]], proxy: [[UInt8]]) {
    #expect(answers(client: client, proxy: proxy).last == SOCKSHandshake.Answer.none)
  }
}
