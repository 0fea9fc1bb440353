// SPDX-License-Identifier: Apache-2.0

extension Ledger {
  /// What is kept of a connection that was opened.
  struct Connection {
    /// In output order, from 1; 0 for a flow that opened none.
    var number: UInt32 = 0
    var router: UInt32 = 0
    var realm: UInt32 = 0
    var realmSession: UInt16 = 0
  }
}
