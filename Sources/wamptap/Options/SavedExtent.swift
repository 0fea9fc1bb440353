// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// How much is saved around what matches.
enum SavedExtent: String, ExpressibleByArgument, CaseIterable {
  /// The packets of the messages, and those that opened their connections.
  case messages
  /// The same of all messages of an exchange.
  case exchange
  /// All packets of the connections.
  case connection
}
