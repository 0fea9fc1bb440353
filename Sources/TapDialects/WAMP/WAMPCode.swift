// SPDX-License-Identifier: Apache-2.0

/// The codes of WAMP's messages (wamp-proto, "Message Codes").
enum WAMPCode {
  static let hello: UInt64 = 1
  static let welcome: UInt64 = 2
  static let abort: UInt64 = 3
  static let challenge: UInt64 = 4
  static let authenticate: UInt64 = 5
  static let goodbye: UInt64 = 6
  static let heartbeat: UInt64 = 7
  static let error: UInt64 = 8
  static let publish: UInt64 = 16
  static let published: UInt64 = 17
  static let subscribe: UInt64 = 32
  static let subscribed: UInt64 = 33
  static let unsubscribe: UInt64 = 34
  static let unsubscribed: UInt64 = 35
  static let event: UInt64 = 36
  static let call: UInt64 = 48
  static let cancel: UInt64 = 49
  static let result: UInt64 = 50
  static let register: UInt64 = 64
  static let registered: UInt64 = 65
  static let unregister: UInt64 = 66
  static let unregistered: UInt64 = 67
  static let invocation: UInt64 = 68
  static let interrupt: UInt64 = 69
  static let yield: UInt64 = 70
  static let eventReceived: UInt64 = 337
}
