// SPDX-License-Identifier: Apache-2.0

/// Every bound in one place. Reaching one is a finding, is counted in the summary, or is said where
/// it shows (`branches`), never a crash; only those that lose nothing a reader could miss
/// (`sharedIDs`, `publications`, `publicationBytes`, `unjoinedEvents`, `earlyEvents`, `secrets`,
/// `pings`, `narratedSources`) are passed in silence.
public struct Limits: Sendable {
  /// The largest message that is put together, in bytes after inflation.
  public var messageBytes = 16 << 20
  /// Bytes of all messages of WebSocket and RawSocket that are being put together, and of what is
  /// searched for their frames behind gaps; one message more is told, not shown, and one search
  /// more is given up. While half of it is left, memory of the last message is kept for the next.
  public var assembledBytes = Allowance(32 << 20)
  /// Bytes that the contexts of permessage-deflate of all connections take: up to 40 KiB in each
  /// direction, and once half of it was taken no more than messages may refer to. One that finds no
  /// room for its own is told, not shown.
  public var contexts = Allowance(24 << 20)
  /// Nesting of JSON values.
  public var nesting = 512
  /// The same as all who read our NDJSON bear it; `null` stands for what is nested more deeply, and
  /// `raw` has it.
  public var sharedNesting = 99
  /// The largest record of a capture file.
  public var packetBytes = 16 << 20
  /// Interfaces that are remembered of one section of a capture file; packets of others are
  /// skipped, which is told.
  public var interfaces = 65_536
  /// Processes and containers that write one log and whose lines name messages: one more takes the
  /// place of all; each is known again by its next line that is certain.
  public var narratedSources = 256
  /// The longest line of a log, and the longest text of lines that belong together.
  public var lineBytes = 16 << 20
  /// The longest record of indented JSON that is read as one line; a longer one is read as the
  /// lines that it has.
  public var recordBytes = 1 << 20
  /// Messages and findings of files that are held while bytes wait that were captured before them,
  /// and what that takes in memory; then the earliest pass on, which a finding tells where it
  /// shows.
  public var heldEvents = 65_536
  public var heldBytes = 16 << 20
  /// Nanoseconds that lines of a pipe, or of a file that is followed, wait for more that would say
  /// what they are, and what tells their sessions apart; then that is decided on what has come.
  public var settlingTime: Int64 = 250_000_000
  /// Lists that begin like messages and do not end, on one line of a log; of the rest of the line
  /// nothing is a message.
  public var openLists = 32
  /// Bytes of one direction that may wait for a hole to be filled, and of all connections
  /// together: then the hole that was waited for longest is given up, as a gap.
  public var reorderBytes = 4 << 20
  public var reorderedBytes = 32 << 20
  /// Capture time that a hole may wait, and a PING until it counts as unanswered, in nanoseconds.
  public var patience: Int64 = 5_000_000_000
  /// The same once the receiver acknowledged what we have not seen: then it was not lost on the
  /// way, it was not captured.
  public var acknowledgedPatience: Int64 = 20_000_000
  /// Capture time by which the directions of a connection may be apart, as two cards or machines
  /// captured them, for their segments to be put in order by what they acknowledge.
  public var skew: Int64 = 500_000_000
  /// TCP connections held at once.
  public var connections = 16_384
  /// Capture time after which a connection on which nothing comes is forgotten, once there are half
  /// as many as are held, in nanoseconds.
  public var idleTime: Int64 = 3_600_000_000_000
  /// IP datagrams being put together, and bytes in them.
  public var fragmentedDatagrams = 256
  public var fragmentBytes = 4 << 20
  /// Datagrams of UDP that wait for their first fragment, which says whether they are a tunnel; the
  /// oldest is counted as something else.
  public var earlyDatagrams = 16
  /// Tunnels inside each other that a packet may go through; of deeper ones a finding tells.
  public var tunnels = 8
  /// Networks that tunnels name, by which connections are told apart; packets of one more are not
  /// read, which a finding tells.
  public var networks = 131_072
  /// Bytes of the messages of an export that are held to be put in the order of their times, and
  /// of those of a log whose newest line comes first.
  public var exportBytes = 20 << 20
  /// Of a dump that prints bytes as text: so many that wait for the end of a message, of all
  /// connections; what waits is given up, and counts as unread.
  public var printedBytes = 64 << 20
  /// Filters of one packet of MQTT; a finding tells of more.
  public var mqttFilters = 4096
  /// Open exchanges, and filters, that are watched of one connection of MQTT; with more, what is
  /// unknown is no longer told, and of exchanges the connection is counted.
  public var mqttExchanges = 8192
  public var mqttSubscriptions = 4096
  /// Clients of MQTT whose identifiers are compared; one more is counted.
  public var mqttClients = 65_536
  /// Bytes of the topics that aliases of one direction of MQTT stand for; of an alias beyond that
  /// the topic is not known, which a finding tells.
  public var mqttAliasBytes = 1 << 20
  /// Headers of one frame of STOMP; a finding tells of more.
  public var frameHeaders = 1024
  /// Subscriptions, and open transactions, that are watched of one STOMP connection, and messages
  /// that wait for their ACK; with more, what is unknown is no longer told.
  public var stompSubscriptions = 1024
  public var stompDeliveries = 4096
  /// WebSockets that clients of SockJS were refused, and that are remembered.
  public var sockJSAttempts = 64
  /// Servers and paths at which sessions of SockJS were seen, and requests for `/info` are read; of
  /// more, the oldest is forgotten.
  public var sockJSPlaces = 1024
  /// Bytes of an HTTP head.
  public var headBytes = 64 << 10
  /// Bytes that all connections hold of unfinished HTTP heads, HTTP/2 frames and TLS records, and
  /// of the header tables of HTTP/2; one more is given up, which a finding tells.
  public var unfinishedBytes = Allowance(48 << 20)
  /// Requests of one HTTP/1 connection that wait for their answers; a finding tells of more.
  public var requests = 1024
  /// Bytes held while a stream or a conversation is not yet recognised, and of all of them
  /// together, a piece counting no less than `ReplayBuffer.leastCost`; what cannot be held is
  /// decided upon by what is there.
  public var undecidedBytes = 256 << 10
  public var undecided = Allowance(24 << 20)
  /// Messages of a conversation, and bytes of them, that are looked at to tell its dialect.
  public var recognisedMessages = 64
  public var recognisedBytes = 64 << 10
  /// Bytes of TLS records of one connection that may wait for a secret or a hello, and of all
  /// connections together; then they stay closed.
  public var waitingRecordBytes = 1 << 20
  public var waitingRecords = Allowance(24 << 20)
  /// Bytes of TLS records of one connection that are opened for trial behind gaps, and eight times
  /// as much as was opened before; then what is searched stays closed. Of what all connections
  /// together may try in vain, beyond those eight times, none takes more than an eighth of what is
  /// left: many that never open leave some for the next.
  public var recordTrialBytes = 32 << 20
  public var recordTrials = Allowance(256 << 20)
  /// TLS secrets kept of key logs; a connection that lacks one then says that there were more.
  public var secretsKept = 262_144
  /// WebSocket conversations, and requests for one, at once on one HTTP/2 connection, and on all of
  /// them; a finding tells of more.
  public var streams = 1024
  public var allStreams = Allowance(8192)
  /// Bytes searched for the next frame after a gap before the search is given up for good, a piece
  /// counting no less than `ReplayBuffer.leastCost`.
  public var resyncBytes = 1 << 20
  /// Open requests and named ids, over all sessions.
  public var openExchanges = 131_072
  /// Packets that may have to be saved: eight bytes each.
  public var savedPackets = 16 << 20
  /// Bytes of text that annotations of one capture may have together.
  public var annotationBytes = 256 << 20
  /// Bytes of text beside one packet; a pcapng option has at most 65,535.
  public var packetAnnotationBytes = 60_000
  public var namedIDs = 131_072
  /// Open requests, and what is known of each, that are compared with those that a router passes
  /// on, to infer names; then all are forgotten.
  public var relayedCalls = 8192
  /// Ids that several messages share at about the same time (publications).
  public var sharedIDs = 8192
  /// PINGs of one side of a RawSocket connection that wait for an answer; when one of them had to
  /// be forgotten, PONGs are compared with none any more.
  public var pings = 256
  /// Open requests, and granted ids, that are watched in all sessions together, beyond
  /// `sessionEntries` in each: a session that would take more is not watched any further, and
  /// counted.
  public var watchedEntries = Allowance(65_536)
  public var sessionEntries = 64
  /// Clients whose coming back is watched; one more is counted.
  public var reconnectingClients = 4096
  /// Handshakes whose keys are compared; with one more, those before it are forgotten.
  public var handshakeKeys = 16_384
  /// Kinds of messages, and names of ids, that applications may have in one run; messages of
  /// further kinds are called `JSON`, which is told.
  public var kindNames = 4096
  /// Realms of routers whose sessions are compared with each other; a session of one more is
  /// counted as not watched to its end.
  public var realms = 256
  /// Acknowledged publications of one realm that are compared with their EVENTs, and what that
  /// takes of `watchedEntries`. Of older ones, neither order nor arguments of EVENTs that still
  /// come are judged.
  public var publications = 2048
  /// Bytes of the arguments of publications of all realms that are kept: with those of older ones,
  /// only an EVENT that has them spelled alike is compared.
  public var publicationBytes = 2 << 20
  /// EVENTs of one realm, one after the other, that came while a PUBLISHED was awaited and were not
  /// of it. After so many, arguments of EVENTs ahead of their PUBLISHED are not compared; the
  /// latest few of them are joined with it all the same.
  public var unjoinedEvents = 1024
  public var earlyEvents = 64
  /// Bytes of the prefixes of WAMP v1 and of what they stand for, of all connections together; a
  /// finding tells of one that is not remembered.
  public var prefixBytes = Allowance(4 << 20)
  /// Namespaces of one Socket.IO session that are watched; of one more, nothing is said to be
  /// missing, and nothing of those that follow.
  public var socketNamespaces = 256
  /// Bytes of interned subjects; then those that nothing refers to any more are forgotten.
  public var subjectBytes = 8 << 20
  /// Values of one message that are masked for the names beside them; one more masks all of it.
  public var maskedValues = 65_536
  /// Distinct secrets that get a token of their own.
  public var secrets = 65_536
  /// Pasted messages whose refusal is told; the rest is counted.
  public var refusals = 100
  /// Lines of the outline of one message; a line says that there are more.
  public var branches = 4096
  /// Messages, findings and ends that are kept to be drawn as one ladder, and bytes of their
  /// labels; then they are drawn, and the next ladder begins with its own heads.
  public var ladderRows = 65_536
  public var ladderBytes = 16 << 20
  /// Findings of one code that are told for one connection; the rest is counted.
  public var findingsPerCode = 100
  /// Bytes of text around the messages of a log that wait for a decision about messages before
  /// them; then that is made with what there is.
  public var contextBytes = 1 << 20
  /// Bytes of secrets that each file of a capture that is kept in several has from those before
  /// it; more are in the file alone where they came.
  public var keptSecretBytes = 16 << 20
  /// Bytes of a live capture that wait for being decoded; then packets are dropped.
  public var captureBytes = 64 << 20
  /// Publications and calls that are kept to be traced; the oldest that nobody asked for leave.
  public var tracedExchanges = 8192
  /// Sessions, and subscriptions of each, that are kept for that.
  public var tracedSessions = 16_384
  public var tracedSubscriptions = 4096
  /// Sessions that got one publication, and messages of one call, that are kept one by one.
  public var tracedDeliveries = 4096
  /// Rows of each table of statistics; one more sums up the rest.
  public var statisticsRows = 1000

  /// Of one expectation: latencies that are kept to be judged, and sessions, connections, subjects
  /// or clients that are judged separately. With more, it is inconclusive.
  public var checkedLatencies = 4 << 20
  public var checkedGroups = 65_536
  /// Findings of one code that are kept one by one, to be reported by `check`.
  public var checkedFindings = 1000

  /// Messages whose exchange a display filter notes, four bytes for each; later ones are of no
  /// exchange, which is reported.
  public var filteredMessages = 16 << 20
  /// Messages that wait, while traffic is shown as it comes, for what decides whether they match a
  /// display filter, and what that takes in memory; then the earliest are decided on what is known,
  /// which is reported.
  public var waitingLines = 65_536
  public var waitingBytes = 16 << 20

  public init() {}

  /// Those of a run without options: of use where one bound of them is asked for.
  public static let standard = Limits()
}
