// SPDX-License-Identifier: Apache-2.0

/// Writes a log of several programs: every tenth line contains a WAMP message of one of a few
/// sessions, which last as long as the log.
struct LogWriter {
  private static let linesToMessage = 10

  private var file: OutputFile
  private var random: Random
  private var router: Talk.Router
  private var talks: [Talk] = []
  private var noise: LogNoise
  private var time = LogTime()
  private var message: [UInt8] = []

  init(path: String, seed: UInt64) throws {
    file = try OutputFile(path: path)
    random = Random(seed: seed)
    router = Talk.Router(&random)
    for carrier in LogCarrier.allCases {
      talks.append(Talk(number: carrier.rawValue, serves: true, &random))
    }
    noise = LogNoise(words: router.words)
  }

  /// Ten lines, one of which has a message.
  mutating func next() {
    let place = random.below(Self.linesToMessage)
    for line in 0..<Self.linesToMessage {
      time.advance(&random)
      if line == place {
        let number = random.below(talks.count)
        let isUp = talks[number].next(into: &message, &router, &random)
        LogCarrier.allCases[number].append(message, isUp: isUp, at: time, to: &file.buffer)
      } else {
        noise.append(at: time, to: &file.buffer, &random)
      }
      file.buffer.append(0x0A)
    }
    file.flushIfFull()
  }

  mutating func finish() throws { try file.finish() }
}
