// SPDX-License-Identifier: Apache-2.0
import Testing

/// The captures whose every message must come out as an endpoint wrote it down.
enum Covered {
  struct Capture: Sendable, CustomTestStringConvertible {
    var file: String
    /// Messages in the record of each endpoint that went over WebSocket or RawSocket.
    var messages: Int
    /// How often each of them is in the file.
    var hops = 1

    /// Those of them that went over WebSocket.
    var wired: Int

    init(_ file: String, _ messages: Int, hops: Int = 1, wired: Int? = nil) {
      (self.file, self.messages, self.hops) = (file, messages, hops)
      self.wired = wired ?? messages
    }

    var base: String { Record.base(file) }
    var testDescription: String { file }
  }

  static let all: [Capture] = [
    Capture("browser-autobahnjs.pcap", 49),
    Capture("dumpcap-two-interfaces.pcapng", 45),
    Capture("lo-any-sll2.pcap", 45),
    Capture("lo-nanosecond.pcap", 80),
    Capture("mitm-ws-json.pcap", 45, hops: 2),
    Capture("net-clean-clientside.pcap", 189),
    Capture("net-clean-serverside.pcap", 189),
    Capture("net-cooked-any-sll2.pcap", 45),
    Capture("net-ipv6.pcap", 45),
    Capture("net-loss-clientside.pcap", 189),
    Capture("net-loss-serverside.pcap", 189),
    Capture("net-mixed-deflate-clientside.pcap", 164),
    Capture("net-vlan.pcap", 45),
    Capture("proxy-protocol-v1.pcap", 45),
    Capture("proxy-two-hops-plain.pcap", 45, hops: 2),
    Capture("tls12-gcm.pcap", 50), Capture("tls12-gcm-dsb.pcapng", 50),
    Capture("tls13-deflate-msgpack.pcap", 50), Capture("tls13-json.pcap", 50),
    Capture("tls13-json-dsb.pcapng", 50), Capture("var-comments.pcapng", 189),
    Capture("var-cut-file.pcap", 189),
    Capture("var-dlt-rawip.pcap", 189),
    Capture("var-format-bigendian.pcap", 189),
    Capture("var-gzip.pcap.gz", 189),
    Capture("var-gzip.pcapng.gz", 189),
    Capture("var-pcapng-misnamed.pcap", 189),
    Capture("wamp-abort-no-such-realm.pcap", 2),
    Capture("wamp-auth-cryptosign-fail.pcap", 2),
    Capture("wamp-auth-scram-argon2.pcap", 8),
    Capture("wamp-auth-ticket.pcap", 8),
    Capture("wamp-auth-wampcra-salted.pcap", 8),
    Capture("wamp-authz-errors.pcap", 16),
    Capture("wamp-autoping.pcap", 8),
    Capture("wamp-big-message-fragmented-deflate.pcap", 18),
    Capture("wamp-deflate-takeover.pcap", 164),
    Capture("wamp-deflate-window-bits.pcap", 164),
    Capture("wamp-deflate-msgpack.pcap", 105),
    Capture("wamp-e2e-cryptobox.pcap", 21),
    Capture("wamp-exclusion.pcap", 45),
    Capture("wamp-fragmented.pcap", 72),
    Capture("wamp-goodbye-variants.pcap", 12),
    Capture("wamp-meta-events.pcap", 58),
    Capture("wamp-patterns.pcap", 47),
    Capture("wamp-pipelined-calls.pcap", 810),
    Capture("wamp-port-reuse.pcap", 20),
    Capture("wamp-protocol-violations.pcap", 47),
    Capture("wamp-pubsub-chat.pcap", 45),
    Capture("wamp-pubsub-leak.pcap", 68),
    Capture("wamp-rawsocket-json.pcap", 72), Capture("wamp-rawsocket-cbor.pcap", 72),
    Capture("wamp-reconnect-storm.pcap", 216),
    Capture("wamp-rpc-basic.pcap", 80),
    Capture("wamp-rpc-cancel.pcap", 32),
    Capture("wamp-rpc-progress.pcap", 32),
    Capture("wamp-rpc-unanswered.pcap", 58),
    Capture("wamp-ser-cbor-batched.pcap", 72),
    Capture("wamp-ser-json-batched.pcap", 72),
    Capture("wamp-ser-json.pcap", 72),
    Capture("wamp-ser-msgpack.pcap", 72),
    Capture("wamp-ser-ubjson.pcap", 72),
    Capture("wamp-shared-registration.pcap", 60),
    Capture("wamp-tcp-reset.pcap", 23),
    Capture("wamp-testament-retain.pcap", 16),
    Capture("wamp-two-legs.pcap", 72, wired: 32),
    Capture("xconn-client-cbor.pcap", 42),
    Capture("xconn-router-pubsub-chat.pcap", 50),
  ]

  /// Of the same families, but without anything that is WAMP over a WebSocket or a RawSocket that
  /// can be read, or with holes (those have tests of their own).
  static let others: Set<String> = [
    "net-snaplen96.pcap", "tls13-midstream-no-handshake.pcap", "var-cut-file.pcapng",
    "var-empty.pcap", "var-lost-packets.pcap",
    "var-lost-packets-deflate.pcap", "var-midstream-no-handshake.pcap",
    "var-one-direction-from-client.pcap",
  ]

  static let families = [
    "browser-autobahnjs", "dumpcap-", "lo-", "mitm-", "net-", "proxy-", "tls12-", "tls13-", "var-",
    "wamp-",
    "xconn-",
  ]
}
