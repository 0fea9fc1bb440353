// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

/// What connections take of what all of them may hold.
@Suite("Room") struct RoomTests {
  @Test func reserve() {
    let all = Allowance(64 << 10)
    var (one, other) = (Reservation(all), Reservation(all))
    let few = one.reserve(1000)
    #expect(few && all.rest == 64 << 10, "a little is free")
    let more = [one.reserve(20_000), one.reserve(10_000)]
    #expect(more == [true, true] && all.rest == 32 << 10)
    let tooMany = other.reserve(40_000)
    #expect(!tooMany && all.rest == 32 << 10)
    // As much as it says, and not one byte more.
    let most = other.most
    let all33 = other.reserve(most)
    #expect(most == 33 << 10 && all33 && all.rest == 0)
    let oneMore = one.reserve(33 << 10 | 1)
    #expect(!oneMore)
    other.giveBack()
    other.giveBack()
    let again = one.reserve(60_000)
    #expect(again)
  }

  /// A connection that is forgotten leaves nothing behind.
  @Test func comesBack() {
    let all = Allowance(1 << 20)
    for _ in 0..<10 {
      var room = Reservation(all)
      let isThere = room.reserve(900_000)
      #expect(isThere)
    }
    #expect(all.rest == 1 << 20)
  }

  @Test func keeps() {
    let all = Allowance(1 << 20)
    var rooms = (0..<100).map { _ in Reservation(all) }
    var kept = 0
    for index in rooms.indices where rooms[index].tryToKeep(50_000) { kept += 1 }
    // Half of it stays for those that need it.
    #expect(kept > 5 && kept < 15 && all.rest >= 400_000)
    var small = 0
    for index in rooms.indices where rooms[index].tryToKeep(1000) { small += 1 }
    #expect(small == 100 && all.rest == 1 << 20)
  }
}
