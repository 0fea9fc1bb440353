// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `explain masking` says.
enum MaskingGuide {
  static var topics: [Topic] {
    [
      Topic(
        Topic.Group("Output", "output"), "masking",
        "Credentials are replaced by tokens such as <secret-1>, in every output, so that it can be"
          + " shown to others.",
        aliases: ["mask", "secret", "secrets", "credentials"],
        [
          Topic.Part(
            "By place",
            .prose(
              "What protocols define: tickets, signatures that can be replayed, the salt and the"
                + " challenge of CHALLENGE, authextra but for what is public, resume tokens, the"
                + " ids of sessions of Engine.IO and Bayeux, the"
                + " transport details of wamp.session.get and wamp.session.on_join, the passwords"
                + " and keys in lists of parameters, of mining.authorize or walletpassphrase, what"
                + " is typed for a kernel of Jupyter, and what SASL sends in XMPP.")),
          Topic.Part(
            "By name",
            .prose(
              "In payloads of every protocol and serializer, in forms, in strings that hold JSON,"
                + " in findings and in the lines of --context: the value beside one of these names,"
                + " whatever their case, with '-' and '_' ignored: "
                + CredentialNames.standard.all.joined(separator: ", ")
                + ". An object or a list beside one is masked whole, and so is the value beside a"
                + " name, key or header that is one: {\"name\":\"Cookie\",\"value\":…}. In JSON of"
                + " applications, a text beside auth or pass is masked, too.")),
          Topic.Part(
            "In URLs",
            .prose(
              "And in heads: user and password, ;jsessionid= and other parameters, values of the"
                + " query and the fragment unless they are known to be harmless, subprotocols that"
                + " are tokens, and fields of HTTP such as Authorization and Cookie.")),
          Topic.Part(
            "Withheld",
            .prose(
              "Where bytes were not captured, what may be a credential is withheld:"
                + " <withheld, 22 bytes> stands for everything behind a place where one of the"
                + " names may be hidden, and for messages whose type is not known and may be that"
                + " of a login. So is the reason of a CLOSE that breaks the rules: it may be"
                + " part of another message.")),
          Topic.Part(
            "Shown",
            .prose(
              "User names: authid, login, username; and in payloads what stands beside no such"
                + " name, even if it was masked elsewhere. The same value has the same token in a"
                + " whole run, so that a masked log can still be followed; the numbers say nothing"
                + " of what they stand for.")),
          Topic.Part(
            "Change it",
            .prose(
              "--show-secrets shows all of it. In a names file, mask: [\"**.pass_phrase\"] adds a"
                + " name or a path, and show: [\"**.token\"] takes one back; see wamptap(1), NAMES"
                + " FILE.")),
        ], source: "wamptap(1)")
    ]
  }
}
