// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The request for `PREFIX/info`, with which a client begins each attempt (SockJS protocol 0.3.4,
/// "Info test"). The path alone is not distinctive: it counts only where there were sessions.
final class SockJSInfo: HTTPExchangeReader {
  private let request: HTTPRequest
  /// Its URL without the query.
  private let path: ArraySlice<UInt8>
  var continuesSession: Bool { false }

  /// Nil when it is not such a request.
  init?(_ request: HTTPRequest, _ run: RunContext) {
    let path = request.url.prefix { $0 != UInt8(ascii: "?") }
    guard request.method.elementsEqual("GET"), path.suffix(5).elementsEqual("/info".utf8) else {
      return nil
    }
    let place = path.firstIndex(of: .colon).map { path[$0...].dropLast(5) } ?? []
    let places = run.shared { SockJSPlaces(limits: run.limits) }
    guard places.contains(request.connection, Array(place)) else { return nil }
    (self.request, self.path) = (request, path)
  }

  func answered(
    status: Int, contentType _: [UInt8], _ delivery: Delivery, _ listener: any Listener
  ) {
    if status < 400 { return }
    listener.finding(
      .sockJSInfoFailed, .warning, delivery.origin,
      "\(request.connection.client) asked \(String(decoding: path, as: Unicode.UTF8.self)), and"
        + " the server answered \(status): a client of SockJS gives up then")
  }

  func receive(_ body: RawSpan, _: Delivery, _: any Listener) -> HTTPBodyUse {
    HTTPBodyUse(passed: body.byteCount)
  }

  func gap(_: Int?, _: Delivery, _: any Listener) {}
  func end(_: HTTPBodyEnd, _: Delivery, _: any Listener) {}
}
