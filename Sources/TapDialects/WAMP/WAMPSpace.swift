// SPDX-License-Identifier: Apache-2.0

/// The key spaces of WAMP's links. A request's space is the code of its message type, because ERROR
/// names the failed request by that code.
enum WAMPSpace {
  static let handshake: UInt8 = 1
  static let challenge: UInt8 = 4
  static let goodbye: UInt8 = 6
  static let publish: UInt8 = 16
  static let subscribe: UInt8 = 32
  static let unsubscribe: UInt8 = 34
  static let call: UInt8 = 48
  static let register: UInt8 = 64
  static let unregister: UInt8 = 66
  static let invocation: UInt8 = 68
  static let subscription: UInt8 = 200
  static let registration: UInt8 = 201
  static let publication: UInt8 = 202
}
