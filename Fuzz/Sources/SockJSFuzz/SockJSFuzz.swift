// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapDialects
import TapHTTP
import TapTraffic

/// HTTP exchanges that carry SockJS sessions, or Engine.IO polling: each byte of a body is
/// accounted for once, and splits change nothing. `JSONDialectsFuzz` and `SocketIOFuzz` test them
/// over WebSocket.
@_cdecl("SockJSFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let limits: Limits = mode & 2 == 0 ? Limits() : .tight
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Limits count pieces too, so splits may matter.
      mayCut: { _ in mode & 2 == 0 },
      prepare: { $0.carriersOfMessages = [.sockJS] }
    ) { Exchanges(Opening(.stream, isFromStart: mode & 1 == 0), $0, limits) }
  }
}

/// One connection whose bodies are read, and whose sessions end with it.
private struct Exchanges: Layer {
  private let chooser: Sessions
  private var http: HTTPLayer

  init(_ opening: Opening, _ bench: Bench, _ limits: Limits) {
    chooser = Sessions(bench, limits)
    http = HTTPLayer(opening, chooser, limits: limits)
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    http.receive(bytes, delivery, listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    http.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    http.finish(ending, delivery, listener)
    if ending != .half { chooser.run.sessions.finish(listener) }
  }
}

/// Lets the bench read what a session carries, and everything else.
private final class Sessions: Chooser {
  private let bench: Bench
  private let limits: Limits
  private(set) lazy var run = RunContext(limits: limits, chooser: self)

  init(_ bench: Bench, _ limits: Limits) { (self.bench, self.limits) = (bench, limits) }

  func layer(for opening: Opening) -> any Layer { bench.layer(for: opening) }

  func reader(
    of request: HTTPRequest, _ listener: any Listener
  ) -> (any HTTPExchangeReader)? {
    SockJSDialect().reader(of: request, run, listener)
      ?? EngineIODialect().reader(of: request, run, listener)
  }
}
