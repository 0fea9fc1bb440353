// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``TransportFindings``.
extension Finding.Code {
  static let unreadTunnel: Finding.Code = "ip.unread-tunnel"
  static let unknownLinkType: Finding.Code = "link.unknown-type"
  static let connectionsEvicted: Finding.Code = "tcp.connections-evicted"
  static let directionsApart: Finding.Code = "capture.directions-apart"
  static let duplicates: Finding.Code = "capture.duplicates"
  static let cutPackets: Finding.Code = "tcp.cut-packets"
  static let fragmentsDropped: Finding.Code = "ip.fragments-dropped"
  static let fragmentsDiffer: Finding.Code = "ip.fragments-differ"
  static let oneDirection: Finding.Code = "tcp.one-direction"
  static let midstream: Finding.Code = "tcp.midstream"
  static let resetRefuted: Finding.Code = "tcp.reset-refuted"
  static let damagedSegment: Finding.Code = "tcp.damaged-segment"
  static let gap: Finding.Code = "tcp.gap"
  static let overlapDiffers: Finding.Code = "tcp.overlap-differs"
  static let gapTakenBack: Finding.Code = "tcp.gap-taken-back"
  static let lateSegment: Finding.Code = "tcp.late-segment"
  static let straySegment: Finding.Code = "tcp.stray-segment"
}

/// Explanations of the findings about packets and TCP streams.
public enum TransportFindings {
  public static let all: [Explanation] = [
    Explanation(
      .gap, .note, isLoss: true,
      "Bytes of a TCP stream were sent, but are not in the capture.",
      cause: """
        The capture dropped packets, saw one direction only, or was made with a short snap length. \
        Nearly always the receiver had them: this is about the capture, not about the network.
        """,
      remedy: """
        Capture with a larger buffer (tcpdump -B 8192) or closer to the endpoint, and with -s 0. \
        Other findings say what was lost; a missing answer may have been in it.
        """,
      source: "RFC 9293 §3.4"),
    Explanation(
      .gapTakenBack, .warning,
      "Bytes arrived for a gap that had been reported: they are read, after the gap.",
      cause: """
        The receiver acknowledged what had not been sent (an attacker, damage, a proxy that \
        acknowledges ahead), or packets are in the capture long after their acknowledgements.
        """,
      remedy: """
        Less is missing than the gap says. What stood at the border may have been passed over: \
        sort the capture by time (reordercap) and read it again.
        """,
      source: "RFC 9293 §3.10.7.4"),
    Explanation(
      .overlapDiffers, .warning,
      "Two segments carry different data for the same bytes; the first is used.",
      cause: """
        A middlebox that rewrites traffic, a broken capture, or an attempt to deceive an \
        observer.
        """,
      remedy: """
        Compare the two packets. The receiver may have taken the other version, so what is shown \
        may not be what the application read.
        """,
      source: "RFC 9293 §3.10.7.4"),
    Explanation(
      .damagedSegment, .warning, or: .note,
      "A segment has a wrong checksum, where those of others are right.",
      cause: """
        Damage on the way, or a segment forged to deceive an observer: no receiver takes it, \
        and the sender sends another copy.
        """,
      remedy: """
        As a note, another copy was captured and is used, so only the line is bad. \
        As a warning, there was none, and what is shown may not be what was sent.
        """,
      source: "RFC 9293 §3.1"),
    Explanation(
      .straySegment, .warning,
      "A segment far ahead of its stream was never acknowledged, and the stream went on below it.",
      cause: """
        An attempt to inject data, damage, or an old segment of another connection with the same \
        ports.
        """,
      remedy: "Look where it comes from: its TTL and its addresses of the link layer may show it.",
      source: "RFC 9293 §3.10.7.4"),
    Explanation(
      .resetRefuted, .warning,
      "A connection went on after a reset with the number that its receiver awaited.",
      cause: """
        The reset was forged, or a middlebox sent it and the ends never saw it; or it is of \
        another connection with the same ports.
        """,
      remedy: """
        What follows stands under a connection of its own, whose beginning is not known. Look at \
        the TTL of the reset.
        """,
      source: "RFC 5961 §3"),
    Explanation(
      .lateSegment, .note, or: .warning,
      "Bytes came after the stream had gone on without them; they are not used.",
      cause: """
        Packets far out of order in the capture, as with several capture queues, or a \
        retransmission after a long loss.
        """,
      remedy: "Sort the capture by time (reordercap) and read it again.",
      source: "RFC 9293 §3.4"),
    Explanation(
      .midstream, .note, isLoss: true,
      "The connection was open already when the capture began.",
      cause: "The capture was started after the client had connected.",
      remedy: """
        Start the capture first and let the client connect again: the handshake says which \
        subprotocol and which compression are used.
        """,
      source: "RFC 9293 §3.5"),
    Explanation(
      .oneDirection, .warning,
      "Only one side's packets of a connection are in the capture.",
      cause: """
        A filter on a source or a destination, a mirror port that copies one direction, or routes \
        that differ there and back.
        """,
      remedy: """
        Capture on one of the endpoints, and filter by host or port without a direction. Answers \
        and latencies are not known from one side.
        """,
      source: "RFC 9293 §3.4"),
    Explanation(
      .duplicates, .note,
      "Many packets are in the capture twice; each is counted once.",
      cause: """
        A capture on 'any', on a bridge with its ports, or on several interfaces at once; also \
        with other addresses, before and behind NAT.
        """,
      remedy: "Capture on one interface, or ignore it: only the size of the file is lost."),
    Explanation(
      .directionsApart, .warning, or: .note,
      "Segments are in the capture ahead of what they acknowledge; they are put in order.",
      cause: """
        The two directions were captured by two cards (a TAP), or on two machines whose clocks are \
        apart. As a note, a few changed places, as with several queues of one card. What comes a \
        second late or more is not waited for: it is reported as lost.
        """,
      remedy: """
        The order of messages is right, their times are not: believe latencies only where they are \
        much longer. Give machines one clock (chrony), or use a card that stamps both directions. \
        Where bytes were given up, move the later of two captures back by the seconds that the \
        finding names, and read both again: editcap -t -2.000 late.pcap corrected.pcap.
        """,
      source: "RFC 9293 §3.4"),
    Explanation(
      .cutPackets, .warning, isLoss: true,
      "The capture keeps only the beginning of each packet.",
      cause: "It was made with a short snap length (tcpdump -s 96, or a default of old tools).",
      remedy: "Capture again with -s 0; what was cut off cannot be had back.",
      source: "draft-ietf-opsawg-pcap §5"),
    Explanation(
      .connectionsEvicted, .note,
      "More connections were open at once than are held; idle ones were finished.",
      cause: "A port scan, or a capture of days.",
      remedy: "Filter the capture by host or port first (tcpdump -r IN -w OUT port 8080)."),
    Explanation(
      .fragmentsDropped, .note,
      "Fragments of an IP datagram were given up because others are missing or were cut.",
      cause: "A capture filter on ports, which only the first fragment has; or a lossy capture.",
      remedy: "Capture by host instead of by port, or add 'or (ip[6:2] & 0x1fff != 0)'.",
      source: "RFC 791 §3.2, RFC 8200 §4.5"),
    Explanation(
      .fragmentsDiffer, .warning,
      "Fragments of one IP datagram overlap, and carry different data for the same bytes.",
      cause: """
        An attempt to deceive an observer, or a new datagram with the number of one that \
        is incomplete.
        """,
      remedy: """
        Compare the fragments. Receivers differ in what they make of them; with IPv6 they must \
        drop the datagram.
        """,
      source: "RFC 5722 §4, RFC 1858 §4"),
    Explanation(
      .unreadTunnel, .warning, or: .note,
      "Packets belong to a tunnel that is encrypted or unknown; its content is not read.",
      cause: "A capture on the outside of a VPN; as a note, other connections could be read.",
      remedy: """
        Capture inside the tunnel: on its own interface (wg0, tun0, ipsec0), or on one of the ends.
        """),
    Explanation(
      .unknownLinkType, .warning,
      "An interface has a link type that is not read; its packets are left out.",
      cause: "A capture of a bus, of a radio, or of a tunnel device.",
      remedy: "Capture on the interface that carries IP, or on 'any'.",
      source: "https://www.tcpdump.org/linktypes.html"),
  ]
}
