// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Limits {
  /// Limits that small inputs do not reach, except those that cost time for any input: preallocated
  /// tables, and trial decryptions of records.
  public static var roomy: Limits {
    var limits = Limits()
    limits.sharedIDs = 64
    limits.recordTrialBytes = 16 << 10
    return limits
  }

  /// Limits that small inputs reach.
  public static var tight: Limits {
    var limits = Limits()
    limits.messageBytes = 4096
    limits.nesting = 16
    limits.packetBytes = 2048
    limits.reorderBytes = 2048
    limits.connections = 3
    limits.networks = 2
    limits.fragmentedDatagrams = 2
    limits.fragmentBytes = 4096
    limits.headBytes = 1024
    limits.exportBytes = 1024
    limits.undecidedBytes = 1024
    limits.resyncBytes = 1024
    limits.openExchanges = 4
    limits.namedIDs = 4
    limits.sharedIDs = 4
    limits.subjectBytes = 256
    limits.prefixBytes = Allowance(64)
    limits.secrets = 2
    limits.http2Streams = 2
    limits.waitingRecordBytes = 1024
    limits.recordTrialBytes = 2048
    limits.findingsPerCode = 3
    return limits
  }
}
