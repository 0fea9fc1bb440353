// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// Netty's `LoggingHandler`, which `wiretap` and `logActivity` of what is built upon it put into
  /// a pipeline.
  ///
  ///     … [id: 0x4148ec68, L:/127.0.0.1:49294 - R:/127.0.0.1:1883] WRITE: 33B
  ///     |00000000| 10 1f 00 04 4d 51 54 54 04 c2 00 1e 00 05 6e 65 |....MQTT......ne|
  static let netty = LogFormat(
    name: "netty", title: "Netty",
    rules: [
      LogRule("] WRITE: ", .sent, .dump), LogRule("] READ: ", .received, .dump),
    ], traits: .keyed, requiredWord: "L:/", anchors: ["WRITE: ", "READ: "])

  /// curl with `--trace`. What TLS encrypts stands there in the clear, and once more as records.
  ///
  ///     => Send header, 40 bytes (0x28)
  ///     0000: 10 26 00 04 4d 51 54 54 04 c2 00 3c 00 0c 63 75 .&..MQTT...<..cu
  static let curl = LogFormat(
    name: "curl", title: "curl",
    rules: [
      LogRule("=> Send header, ", .toServer, .dump), LogRule("=> Send data, ", .toServer, .dump),
      LogRule("<= Recv header, ", .toClient, .dump), LogRule("<= Recv data, ", .toClient, .dump),
    ], side: .client, anchors: ["> Send ", "<= Recv "])
}
