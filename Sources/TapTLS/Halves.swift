// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Both directions of a connection.
struct Halves {
  var toServer: Half
  var toClient: Half

  init(_ limits: Limits) {
    (toServer, toClient) = (Half(isClient: true, limits), Half(isClient: false, limits))
  }

  subscript(direction: Direction) -> Half {
    _read {
      if direction == .toServer { yield toServer } else { yield toClient }
    }
    _modify {
      if direction == .toServer { yield &toServer } else { yield &toClient }
    }
  }

  /// A search holds bytes.
  var isSearching: Bool {
    (toServer.search?.count ?? 0) + (toClient.search?.count ?? 0) > 0
  }

  /// The directions that are not read.
  var closed: [Half] { [toServer, toClient].filter { $0.isWaiting || $0.isSealed } }
}
