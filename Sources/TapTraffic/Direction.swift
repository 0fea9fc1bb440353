// SPDX-License-Identifier: Apache-2.0

/// Which way a message goes. Arrows exist only in renderers.
@frozen public enum Direction: UInt8, Sendable, BitwiseCopyable {
  case toServer
  case toClient
  /// Pasted and logged evidence may not say.
  case unknown

  @inlinable public var reversed: Direction {
    switch self {
    case .toServer: .toClient
    case .toClient: .toServer
    case .unknown: .unknown
    }
  }
}
