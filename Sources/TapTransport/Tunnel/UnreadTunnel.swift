// SPDX-License-Identifier: Apache-2.0

/// A kind of tunnel that is recognised but not read, in most cases because it is encrypted.
enum UnreadTunnel: Int, CaseIterable {
  case ipsec, macsec, wireGuard, openVPN, l2tp, pptp, gre, gtp, geneve, vxlan, tooDeep, tooMany

  /// What its packets are, as findings name it.
  var name: String {
    switch self {
    case .ipsec: "ESP of IPsec (RFC 4303), which encrypts"
    case .macsec: "MACsec (IEEE 802.1AE), which encrypts"
    case .wireGuard: "WireGuard by their form and port 51820, which encrypts"
    case .openVPN: "OpenVPN by their form and port 1194, which encrypts"
    case .l2tp: "L2TP (RFC 2661, RFC 3931)"
    case .pptp: "PPTP (RFC 2637)"
    case .gre: "GRE (RFC 2784) with something else than IP, Ethernet or MPLS in it"
    case .gtp: "GTP of a mobile network (3GPP TS 29.281)"
    case .geneve: "Geneve (RFC 8926) with something else than IP or Ethernet in it"
    case .vxlan: "VXLAN-GPE with something else than IP or Ethernet in it"
    case .tooDeep: "tunnels in tunnels, deeper than is followed"
    case .tooMany: "tunnels of more networks than are distinguished"
    }
  }
}
