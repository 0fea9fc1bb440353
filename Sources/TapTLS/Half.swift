// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of one direction of a TLS connection.
struct Half {
  /// Which keys the records of a direction have (RFC 8446 §7, RFC 5246 §7.1).
  enum Stage {
    case plain
    /// Of the client, before its handshake goes on: 0-RTT data.
    case early
    /// Of TLS 1.3, behind the ServerHello.
    case handshake
    case application
  }

  let isClient: Bool
  var stage = Stage.plain
  /// The keys of the stage; nil until a record needs them.
  var keys: RecordKeys?
  /// The number of the next record since the keys are in use.
  var sequence: UInt64 = 0
  /// A record that is not all there.
  var carry = Scratch()
  /// Its share of `Limits.unfinishedBytes`, for a record, and for a message of the handshake.
  var room: Reservation
  var handshakeRoom: Reservation
  /// Bytes that are still to come of a record that lacks others.
  var brokenLeft = 0
  var handshake = HandshakeReader()
  /// What the last record carried.
  var plain = Scratch()
  /// Bytes passed up so far, and those that are known to be missing among them.
  var offset: UInt64 = 0
  /// Set while it is not known where a record begins, or which it is.
  var search: RecordSearch?
  /// In the handshake, a hole has swallowed the beginning of a message.
  var hasLostMessages = false
  /// With these keys records open from some place on that is not known.
  var isUnsure = false
  /// Something that could have been passed up is missing, and the layer above was not there to be
  /// told.
  var hasLost = false
  /// Records cannot be opened before something else is known; they are held.
  var isWaiting = false
  /// The records of this direction will not be opened any more.
  var isSealed = false
  /// What goes by while they are closed for lack of a secret that may still come.
  var passed: RecordCounter?
  /// Records that did not open with these keys, before one did.
  var misses = 0
  /// One has opened with these keys.
  var hasOpened = false
  /// Records of early data that were passed over.
  var earlyRecords = 0

  init(isClient: Bool, _ limits: Limits) {
    self.isClient = isClient
    (room, handshakeRoom) = (
      Reservation(limits.unfinishedBytes), Reservation(limits.unfinishedBytes)
    )
  }

  /// From the next record on, other keys are in use.
  mutating func enter(_ stage: Stage, _ keys: RecordKeys? = nil) {
    (self.stage, self.keys, sequence, misses) = (stage, keys, 0, 0)
    handshake = HandshakeReader()
    handshakeRoom.giveBack()
    room.giveBack()
    (hasOpened, hasLostMessages, isUnsure) = (false, false, false)
  }

  /// What a key log calls the secrets of its handshake, and of its application data.
  var handshakeSecret: Secrets.Label { isClient ? .clientHandshake : .serverHandshake }
  var trafficSecret: Secrets.Label { isClient ? .clientTraffic : .serverTraffic }

  var who: String { isClient ? "the client" : "the server" }
}
