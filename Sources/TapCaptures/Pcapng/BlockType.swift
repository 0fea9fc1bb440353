// SPDX-License-Identifier: Apache-2.0

/// The block types of draft-ietf-opsawg-pcapng §4 and §11.1.
enum BlockType {
  /// The same in both byte orders.
  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  static let interfaceDescription: UInt32 = 1
  /// Obsolete.
  static let packet: UInt32 = 2
  static let simplePacket: UInt32 = 3
  static let interfaceStatistics: UInt32 = 5
  static let enhancedPacket: UInt32 = 6
  static let journalExport: UInt32 = 9
  static let decryptionSecrets: UInt32 = 10
  static let custom: UInt32 = 0x0BAD
  static let customNotToCopy: UInt32 = 0x4000_0BAD

  static func isPacket(_ type: UInt32) -> Bool {
    type == enhancedPacket || type == simplePacket || type == packet
  }

  /// Whether its content is read, so that it must be held in one piece.
  static func isRead(_ type: UInt32) -> Bool {
    isPacket(type) || type == sectionHeader || type == interfaceDescription
      || type == decryptionSecrets || type == interfaceStatistics
  }

  /// Whether a type is assigned and used in practice: evidence that a block really begins here.
  static func isKnown(_ type: UInt32) -> Bool {
    switch type {
    case interfaceDescription...journalExport, decryptionSecrets, sectionHeader: true
    case custom, customNotToCopy: true
    default: false
    }
  }
}
