// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The topics of `wamptap explain` about TLS.
public enum TLSGuide {
  private static let group = Topic.Group("Encryption", "encryption")

  public static let topics: [Topic] = [
    Topic(
      group, "TLS",
      "Encryption between TCP and what it carries: wss is WebSocket over TLS.",
      aliases: ["wss", "keylog", "key log", "SSLKEYLOGFILE"],
      [
        Topic.Part(
          "To read it",
          .prose(
            """
            One of the two ends has to write down the secrets of its sessions, in a key log. \
            Browsers, curl and Python do when SSLKEYLOGFILE=/path/keys.txt is set before they \
            start, Node with --tls-keylog=/path/keys.txt. A program in Go sets KeyLogWriter of its \
            tls.Config, one in Java loads an agent such as extract-tls-secrets. Nothing else of \
            them changes, and a \
            proxy is not needed. Then: wamptap --keylog /path/keys.txt chat.pcapng
            """)),
        Topic.Part(
          "Pass it on",
          .prose(
            """
            editcap --inject-secrets tls,keys.txt chat.pcap chat.pcapng puts the secrets into the \
            capture, so that they travel together.
            """)),
        .beware(
          """
          Capture from the beginning of the connection on: TLS 1.2 cannot be opened without its \
          handshake. With the key log, anybody can read the whole session, passwords too.
          """),
      ],
      source: "RFC 8446, RFC 5246, RFC 9850")
  ]
}
