// SPDX-License-Identifier: Apache-2.0

/// Every bound in one place. Reaching one is a finding, a count in the summary, or a mark in the
/// output (`outlineLines`). These are silent, as nothing that a reader needs is lost: `sharedIDs`,
/// `publications`, `publicationBytes`, `unjoinedEvents`, `earlyEvents`, `secrets`, `pings`,
/// `narratedSources`.
public struct Limits: Sendable {
  /// The largest message that is assembled, in bytes after inflation.
  public var messageBytes = 16 << 20
  /// Bytes of all WebSocket and RawSocket messages that are being assembled, and of what is
  /// searched for frames after gaps. Beyond it, a message is reported but not shown, and a search
  /// is given up. While half of it is left, memory of the last message is kept for the next.
  public var assembledBytes = Allowance(32 << 20)
  /// Bytes that the permessage-deflate contexts of all connections take: up to 40 KiB in each
  /// direction, and once half of the bound is taken, no more than messages may refer to. A message
  /// whose context finds no room is reported, not shown.
  public var deflateContextBytes = Allowance(128 << 20)
  /// Nesting of JSON values.
  public var nesting = 512
  /// Nesting that every reader of our NDJSON can handle; `null` stands for what is nested more
  /// deeply, which `raw` still has.
  public var sharedNesting = 99
  /// The largest record of a capture file.
  public var packetBytes = 16 << 20
  /// Interfaces that are remembered of one section of a capture file; packets of further ones are
  /// skipped, which a finding reports.
  public var interfaces = 65_536
  /// Processes and containers that write to one log and whose lines name messages. At one more, all
  /// are forgotten; each is recognised again by its next unambiguous line.
  public var narratedSources = 256
  /// The longest line of a log, and the longest text of lines that belong together, in bytes.
  public var lineBytes = 16 << 20
  /// The longest record of indented JSON that is read as one line, in bytes; a longer one is read
  /// line by line.
  public var recordBytes = 1 << 20
  /// Messages and findings of files that are held because earlier bytes still wait, and what they
  /// take in memory. Beyond that, the earliest are passed on; a finding reports it where the order
  /// shows it.
  public var heldEvents = 65_536
  public var heldBytes = 16 << 20
  /// Nanoseconds that lines of a pipe, or of a file that is followed, wait for more lines that
  /// would show what they are and tell their sessions apart. Then what has come decides.
  public var settlingTime: Int64 = 250_000_000
  /// Unclosed lists on one log line that begin like messages; the rest of the line is then not
  /// searched.
  public var openLists = 32
  /// Bytes that may wait for a missing segment, of one direction and of all connections together.
  /// Beyond that, the hole that has waited longest is given up and becomes a gap.
  public var reorderBytes = 4 << 20
  public var reorderedBytes = 32 << 20
  /// Capture time that a hole is waited for, and after which a PING counts as unanswered, in
  /// nanoseconds.
  public var gapTimeout: Int64 = 5_000_000_000
  /// The same once the receiver has acknowledged the missing bytes: they arrived, so the capture
  /// lost them, and no retransmission will come.
  public var acknowledgedGapTimeout: Int64 = 20_000_000
  /// Capture time by which the two directions of a connection may be out of step, as when two cards
  /// or machines captured them. Within it, acknowledgments put segments in order. Nanoseconds.
  public var clockSkew: Int64 = 500_000_000
  /// TCP connections held at once.
  public var connections = 16_384
  /// Capture time after which an idle connection is forgotten, once half of `connections` are open,
  /// in nanoseconds.
  public var idleTime: Int64 = 3_600_000_000_000
  /// IP datagrams that are being reassembled, and the bytes in them.
  public var fragmentedDatagrams = 256
  public var fragmentBytes = 4 << 20
  /// UDP datagrams that wait for their first fragment, which shows whether they are a tunnel;
  /// beyond that, the oldest counts as no tunnel.
  public var earlyDatagrams = 16
  /// How deep tunnels may be nested; a finding reports deeper ones.
  public var tunnels = 8
  /// Networks that tunnels name, by which connections are told apart; packets of further ones are
  /// not read, which a finding reports.
  public var networks = 131_072
  /// Bytes of messages that are held to be sorted by time: of an export, and of a log whose newest
  /// line comes first.
  public var exportBytes = 20 << 20
  /// Bytes of a dump printed as text that wait for the end of a message, over all connections;
  /// beyond that they are given up, and count as unread.
  public var printedBytes = 64 << 20
  /// Filters of one packet of MQTT; a finding reports if there are more.
  public var mqttFilters = 4096
  /// Open exchanges, and filters, that are watched of one MQTT connection. Beyond that, unknown
  /// ones are no longer reported; a connection with too many exchanges is counted.
  public var mqttExchanges = 8192
  public var mqttSubscriptions = 4096
  /// Clients of MQTT whose identifiers are compared; one more is counted.
  public var mqttClients = 65_536
  /// Bytes of the topics that aliases of one MQTT direction stand for; the topics of further
  /// aliases are not kept, which a finding reports.
  public var mqttAliasBytes = 1 << 20
  /// Headers of one frame of STOMP; a finding reports if there are more.
  public var frameHeaders = 1024
  /// Subscriptions and open transactions that are watched of one STOMP connection, and messages
  /// that wait for their ACK. Beyond that, unknown ones are no longer reported.
  public var stompSubscriptions = 1024
  public var stompDeliveries = 4096
  /// Refused WebSocket attempts of SockJS clients that are remembered.
  public var sockJSAttempts = 64
  /// Servers and paths at which SockJS sessions were seen, and requests for `/info` are read;
  /// beyond that, the oldest is forgotten.
  public var sockJSPlaces = 1024
  /// Bytes of an HTTP head.
  public var headBytes = 64 << 10
  /// Bytes of unfinished HTTP heads, HTTP/2 frames and TLS records, and of HTTP/2 header tables,
  /// over all connections; what does not fit is given up, which a finding reports.
  public var unfinishedBytes = Allowance(48 << 20)
  /// Requests of one HTTP/1 connection that wait for their answers; a finding reports if there are
  /// more.
  public var pipelinedRequests = 1024
  /// Bytes held until a stream or a conversation is recognised, for one and for all together; a
  /// piece counts at least `ReplayBuffer.leastCost`. When they do not fit, what is there decides.
  public var undecidedBytes = 256 << 10
  public var undecided = Allowance(24 << 20)
  /// Messages of a conversation, and bytes of them, that are examined to find its dialect.
  public var recognisedMessages = 64
  public var recognisedBytes = 64 << 10
  /// Bytes of TLS records that may wait for a secret or a hello, of one connection and of all
  /// together; beyond that, they stay encrypted.
  public var waitingRecordBytes = 1 << 20
  public var waitingRecords = Allowance(24 << 20)
  /// Bytes of TLS records of one direction that may be trial-decrypted after gaps, in addition to
  /// eight times the bytes that its connection decrypted before; beyond that, what is searched
  /// stays encrypted. Trials in vain beyond those eight times count against `recordTrials`, which
  /// all connections share. No direction takes more than an eighth of what is left of it, so that
  /// many that never open leave some for the next.
  public var recordTrialBytes = 32 << 20
  public var recordTrials = Allowance(256 << 20)
  /// TLS secrets kept of key logs; a connection that lacks one then says that not all were kept.
  public var secretsKept = 262_144
  /// WebSockets, and requests for one, open at once on one HTTP/2 connection and on all of them; a
  /// finding reports if there are more.
  public var http2Streams = 1024
  public var allHTTP2Streams = Allowance(8192)
  /// Bytes that are searched for the next frame after a gap before the search is given up for good;
  /// a piece counts at least `ReplayBuffer.leastCost`.
  public var resyncBytes = 1 << 20
  /// Open requests over all sessions; `namedIDs` bounds named ids.
  public var openExchanges = 131_072
  /// Packets that are remembered because they may have to be saved: eight bytes each.
  public var savedPackets = 16 << 20
  /// Bytes of text of all annotations of one capture.
  public var annotationBytes = 256 << 20
  /// Bytes of text annotating one packet; a pcapng option holds at most 65,535.
  public var packetAnnotationBytes = 60_000
  public var namedIDs = 131_072
  /// Open requests that are compared with those that a router passes on, to infer names; beyond
  /// that, all are forgotten.
  public var relayedCalls = 8192
  /// Ids that several messages share at about the same time (publications).
  public var sharedIDs = 8192
  /// PINGs of one side of a RawSocket connection that wait for an answer; once one had to be
  /// forgotten, PONGs are no longer compared with them.
  public var pings = 256
  /// Open requests and granted ids that are watched in all sessions together, beyond
  /// `sessionEntries` in each. A session that would need more is no longer watched, and counted.
  public var watchedEntries = Allowance(65_536)
  public var sessionEntries = 64
  /// Clients that are watched for reconnecting; further ones are counted.
  public var reconnectingClients = 4096
  /// Handshakes whose keys are compared; at one more, all before it are forgotten.
  public var handshakeKeys = 16_384
  /// Kinds of messages, and names of ids, that applications may have in one run; messages of
  /// further kinds are named `JSON`, which a finding reports.
  public var kindNames = 4096
  /// Realms of routers whose sessions are compared with each other; sessions of further realms
  /// count as not watched to their end.
  public var realms = 256
  /// Acknowledged publications of one realm that are compared with their EVENTs; they count against
  /// `watchedEntries`, too. For older ones, neither the order nor the arguments of EVENTs that
  /// still come are checked.
  public var publications = 2048
  /// Bytes of arguments kept of publications of all realms; with those of older ones, only an EVENT
  /// with identical text is compared.
  public var publicationBytes = 2 << 20
  /// EVENTs in a row of one realm that came while a PUBLISHED was awaited, but did not belong to
  /// it. After so many, arguments of EVENTs that precede their PUBLISHED are no longer compared;
  /// the latest `earlyEvents` of them are still joined with it.
  public var unjoinedEvents = 1024
  public var earlyEvents = 64
  /// Bytes of WAMP v1 prefixes and their expansions, over all connections; a finding reports one
  /// that is not remembered.
  public var prefixBytes = Allowance(4 << 20)
  /// Namespaces of one Socket.IO session that are watched; once there is one more, it and all after
  /// it are not checked for anything missing.
  public var socketNamespaces = 256
  /// Bytes of interned subjects; beyond that, those that nothing refers to are forgotten.
  public var subjectBytes = 8 << 20
  /// Values of one message that are masked because of the names beside them; at one more, the whole
  /// message is masked.
  public var maskedValues = 65_536
  /// Distinct secrets that get a token of their own.
  public var secrets = 65_536
  /// Pasted messages whose refusal is reported; further ones are counted.
  public var refusals = 100
  /// Lines of the outline of one message; a line says that there are more.
  public var outlineLines = 4096
  /// Messages, findings and ends that are kept to be drawn as one ladder, and bytes of their
  /// labels; beyond that they are drawn, and a new ladder begins.
  public var ladderRows = 65_536
  public var ladderBytes = 16 << 20
  /// Findings of one code that are shown for one connection; further ones are counted.
  public var findingsPerCode = 100
  /// Bytes of log text around messages that wait for a decision about earlier messages; beyond
  /// that, the decision is made with what is there.
  public var contextBytes = 1 << 20
  /// Bytes of TLS secrets from earlier files that each file of a `-w` series repeats; further ones
  /// are only in the file in which they came.
  public var keptSecretBytes = 16 << 20
  /// Bytes of a live capture that wait to be decoded; beyond that, packets are dropped.
  public var captureBytes = 64 << 20
  /// Publications and calls that are kept for `trace`; the oldest that nobody asked for are dropped
  /// first.
  public var tracedExchanges = 8192
  /// Sessions, and subscriptions of each, that are kept for `trace`.
  public var tracedSessions = 16_384
  public var tracedSubscriptions = 4096
  /// Receivers of one publication, and messages of one call, that are kept individually for
  /// `trace`.
  public var tracedDeliveries = 4096
  /// Rows of each table of statistics; a last row sums up the rest.
  public var statisticsRows = 1000

  /// Per expectation: latencies that are kept, and sessions, connections, subjects or clients that
  /// are judged separately. Beyond that, the verdict is inconclusive.
  public var checkedLatencies = 4 << 20
  public var checkedGroups = 65_536
  /// Findings of one code that `check` keeps individually to report them.
  public var checkedFindings = 1000

  /// Messages whose exchange a display filter remembers, at four bytes each; later ones belong to
  /// no exchange, which is reported.
  public var filteredMessages = 16 << 20
  /// Messages of live traffic that wait until it is decided whether they match a display filter,
  /// and what they take in memory. Beyond that, the earliest are decided on what is known, which is
  /// reported.
  public var waitingLines = 65_536
  public var waitingBytes = 16 << 20

  public init() {}

  /// The limits of a run without options; for code that needs just one of them.
  public static let standard = Limits()
}
