// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Both directions of a connection.
struct Halves {
  /// The side of the client, then that of the server. Two stored properties would need a yield for
  /// each in the subscript, which the optimizer (Swift 6.3) turns into reads of freed memory.
  private var both: ContiguousArray<Half>

  init(_ limits: Limits) { both = [Half(isClient: true, limits), Half(isClient: false, limits)] }

  subscript(direction: Direction) -> Half {
    _read { yield both[direction == .toServer ? 0 : 1] }
    _modify { yield &both[direction == .toServer ? 0 : 1] }
  }

  var toServer: Half {
    _read { yield both[0] }
    _modify { yield &both[0] }
  }

  var toClient: Half {
    _read { yield both[1] }
    _modify { yield &both[1] }
  }

  /// A search holds bytes.
  var isSearching: Bool {
    (toServer.search?.count ?? 0) + (toClient.search?.count ?? 0) > 0
  }

  /// The directions that are not read.
  var closed: [Half] { both.filter { $0.isWaiting || $0.isSealed } }
}
