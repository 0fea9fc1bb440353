// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapCheck

@Suite("Open requests") struct OpenRequestsTests {
  private func request(_ index: UInt64, on connection: UInt32) -> OpenRequests.Request {
    let origin = Origin(record: index, input: 0)
    let message = Message("wamp", "CALL", origin)
    let reference = MessageReference(
      index: index, connection: connection, time: .unknown, input: 0, record: index,
      isLine: false, direction: .toServer, name: "CALL", subject: 0, answers: 0)
    let view = MessageView(Joined(index: index), RawSpan(), Span(), subject: RawSpan())
    return OpenRequests.Request(reference, OpenRequests.LinkID(message, view, .none))
  }

  @Test("are those of a list that is searched") func model() {
    var requests = OpenRequests()
    var model: [(index: UInt64, connection: UInt32)] = []
    var random = SystemRandomNumberGenerator()
    for index in 1...5000 as ClosedRange<UInt64> {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let connection = UInt32.random(in: 0..<7, using: &random)
        requests.insert(request(index, on: connection))
        model.append((index, connection))
      case 5..<9:
        let wanted = UInt64.random(in: 1...index, using: &random)
        let at = model.firstIndex { $0.index == wanted }
        #expect(requests.contains(wanted) == (at != nil))
        #expect(requests.remove(wanted)?.index == at.map { model[$0].index })
        if let at { model.remove(at: at) }
      default:
        if index % 50 > 0 { continue }
        let connection = UInt32.random(in: 0..<7, using: &random)
        requests.removeAll(of: connection)
        model.removeAll { $0.connection == connection }
      }
      #expect(requests.count == model.count)
    }
    for connection in 0..<8 as Range<UInt32> {
      let left = model.filter { $0.connection == connection }.map(\.index)
      #expect(requests.of(connection).map(\.message.index) == left)
    }
  }
}
