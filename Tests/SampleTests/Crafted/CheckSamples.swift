// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Options, payloads, events, calls and proofs that break rules; and sessions that show what is
/// wrong only when they are compared.
extension Crafted {
  static let checks = [
    Crafted("wamp/options/input.pcap", options),
    Crafted("wamp/payloads/input.pcap", payloads),
    Crafted("wamp/publishing/input.pcap", publishing),
    Crafted("wamp/call-parts/input.pcap", callParts),
    Crafted("wamp/proofs/input.pcap", proofs),
    Crafted("wamp/reconnects/input.pcap", reconnects),
    Crafted("wamp/side-by-side/input.pcap", sideBySide),
    Crafted("wamp/both-legs/input.pcap", bothLegs),
    Crafted("wamp/meta-lessons/input.pcap", metaLessons),
  ]

  static func options() -> [UInt8] {
    talks([
      [
        hello, welcome, #"> [32,1,{"match":"exakt"},"com.chat.message"]"#, "< [33,1,501]",
        #"> [48,2,{"receive_progress":"true","exclude_me":true,"wait":5},"com.user.get"]"#,
        "< [50,2,{},[7]]", #"> [16,3,{"eligible":[]},"com.Chat.message"]"#,
        #"> [16,4,{},"wamp.session.on_join"]"#, #"> [48,5,{},"com..get"]"#,
        #"< [8,48,5,{},"wamp.error.invalid_url"]"#, "> [34,6,501]", "< [35,6]", goodbye, reply,
      ],
      [
        #"> [1,"my realm",{"roles":{"caller":{}}}]"#, #"< [3,{},"wamp.error.no_such_realm"]"#,
      ],
      [
        #"> [1,"chat",{"roles":{"subscriber":{}}}]"#,
        #"< [2,1002783120652702,{"roles":{"broker":{},"dealer":{}}}]"#,
        #"> [48,1,{"timeout":100},"com.user.get"]"#, "< [50,1,{},[7]]",
        #"> [16,2,{},"com.chat.message",["hi"]]"#, goodbye, reply,
      ],
    ])
  }

  static func payloads() -> [UInt8] {
    talks([
      [
        hello, welcome,
        #"> [48,1,{"enc_algo":"cryptobox","enc_serializer":"json"},"com.user.get","\u0000AAEC"]"#,
        #"< [50,1,{"enc_algo":"cryptobox"},"\u0000AAED"]"#,
        #"> [48,2,{},"com.user.get","[1]"]"#, "< [50,2,{},[],{}]",
        #"> [48,3,{"ppt_scheme":"wamp","ppt_cipher":"aes256gcm"},"com.user.set",["\u0000AAEC"]]"#,
        "< [50,3,{},[1]]", #"> [48,4,{"ppt_scheme":"wamp"},"com.user.set",[1,2]]"#,
        #"< [8,48,4,{},"wamp.error.runtime_error",["no"],{"traceback":["line 1","line 2"]}]"#,
        #"> [48,5,{"timeout":1,"timeout":2},"com.user.set",[{"id":1,"name":"joe","id":2}]]"#,
        "< [50,5,{}]", goodbye, reply,
      ]
    ])
  }

  static func publishing() -> [UInt8] {
    talks([
      [
        hello, welcome, #"> [32,1,{},"com.chat.message"]"#, "< [33,1,501]",
        #"> [32,2,{"match":"prefix"},"com.app"]"#, "< [33,2,502]",
        #"> [32,3,{},"com.chat.message"]"#, "< [33,3,501]",
        #"> [16,4,{"acknowledge":true},"com.chat.message",["hi"]]"#, "< [17,4,71]",
        #"< [36,501,71,{},["hi"]]"#, #"> [16,5,{},"com.chat.other"]"#, "< [17,5,72]",
        "< [36,502,73,{}]", #"< [36,502,74,{"topic":"com.ap"}]"#,
        #"< [36,502,75,{"topic":"com.apple"}]"#, #"< [36,501,76,{"retained":true}]"#,
        "< [36,501,77,{}]", "< [36,501,77,{}]", #"> [32,6,{},"com.chat.last"]"#, "< [33,6,503]",
        #"> [16,7,{"acknowledge":true},"com.chat.last"]"#, "< [17,7,78]",
        #"< [35,0,{"subscription":503}]"#, goodbye, reply,
      ]
    ])
  }

  static func callParts() -> [UInt8] {
    talks([
      [
        hello, welcome, #"> [48,1,{"progress":true},"com.upload",[1]]"#,
        #"> [48,1,{"progress":true},"com.download",[2]]"#,
        #"> [48,1,{"receive_progress":true},"com.upload",[3]]"#, "< [50,1,{}]",
        #"> [48,1,{"progress":true},"com.upload",[4]]"#, #"> [48,2,{},"com.user.get",[1]]"#,
        #"> [48,2,{"progress":true},"com.user.get",[2]]"#, "wait", "wait", "wait",
        "< [50,2,{},[7]]", #"> [64,3,{"match":"prefix"},"com.files"]"#, "< [65,3,9001]",
        "< [68,1,9001,{}]", #"> [70,1,{"progress":true},[1]]"#, "> [70,1,{},[2]]",
        "> [66,4,9001]", "< [67,4]", #"> [64,5,{},"com.user.get"]"#,
        #"< [8,64,5,{},"wamp.error.procedure_already_exists"]"#, goodbye, reply,
      ]
    ])
  }

  static func proofs() -> [UInt8] {
    let roles = #""roles":{"caller":{}}"#
    let text = #"{\"authid\":\"joe\",\"session\":4711,\"nonce\":\"n\"}"#
    let key = "1adfc8bfe1d35616e64dffbd900096f23b066f914c8c2ffbb66f6075b96e116d"
    let challenge = String(repeating: "ff", count: 32)
    return talks([
      [
        #"> [1,"chat",{\#(roles),"authmethods":["ticket"],"authid":"joe"}]"#,
        #"< [4,"ticket",{}]"#, #"> [5,"secret!",{}]"#, welcome, goodbye, reply,
      ],
      [
        #"> [1,"chat",{\#(roles),"authmethods":["ticket"],"authid":"joe"}]"#,
        #"< [4,"wampcra",{"challenge":"\#(text)","salt":"pepper","iterations":100,"keylen":32}]"#,
        "wait", "wait", "wait", #"> [5,"IQ8kvz2ZOjcxI2Bts5D0BSS8hjc6d9eYi6M2hTVvNNU=",{}]"#,
        welcome, goodbye, reply,
      ],
      // Signed by somebody else.
      [
        #"> [1,"chat",{\#(roles),"authmethods":["cryptosign"],"authextra":{"pubkey":"\#(key)"}}]"#,
        #"< [4,"cryptosign",{"challenge":"\#(challenge)"}]"#,
        #"> [5,"\#(String(repeating: "5a", count: 64))\#(challenge)",{}]"#, welcome, goodbye, reply,
      ],
    ])
  }

  /// A client that subscribes once more each time it has connected again.
  static func reconnects() -> [UInt8] {
    talks(
      (1...3).map { count in
        var lines = [hello, welcome]
        for request in 1...count {
          lines.append(#"> [32,\#(request),{},"com.chat.message"]"#)
          lines.append("< [33,\(request),501]")
        }
        return lines + ["< [36,501,\(70 + count),{}]", goodbye, reply]
      })
  }

  /// Two sessions at the same time: `1>` is said by the client of the first.
  static func sideBySide() -> [UInt8] {
    sideBySide([
      "1" + hello, "1" + welcome, "2" + hello, "2" + welcome,
      #"1> [64,1,{"invoke":"roundrobin"},"com.user.get"]"#, "1< [65,1,9001]",
      #"2> [64,1,{},"com.user.get"]"#, #"2< [8,64,1,{},"wamp.error.procedure_already_exists"]"#,
      #"1> [16,2,{"acknowledge":true},"com.user.ready"]"#, "1< [17,2,71]",
      #"2> [32,2,{},"com.user.ready"]"#, "2< [33,2,501]", "2> [34,3,501]", "2< [35,3]",
      "1> [66,3,9001]", "1< [67,3]", "1" + goodbye, "1" + reply, "2" + goodbye, "2" + reply,
    ])
  }

  /// What the router makes of publications: the order, the arguments, who gets them.
  static func bothLegs() -> [UInt8] {
    let acknowledged = #"{"acknowledge":true}"#
    return sideBySide([
      "1" + hello, "1" + welcome, "2" + hello,
      "2" + welcome.replacing("1002783120652702", with: "4711"),
      #"2> [32,1,{},"com.chat.message"]"#, "2< [33,1,501]",
      #"1> [16,1,\#(acknowledged),"com.chat.message",["one",1.0]]"#, "1< [17,1,71]",
      #"1> [16,2,\#(acknowledged),"com.chat.message",["two"],{"a":1,"b":[2]}]"#, "1< [17,2,72]",
      #"2< [36,501,72,{},["two"],{"b":[2.0],"a":1}]"#, #"2< [36,501,71,{},["one",1]]"#,
      #"1> [16,3,\#(acknowledged),"com.chat.message",["three"]]"#,
      #"2< [36,501,73,{},["3"]]"#, "1< [17,3,73]",
      #"1> [16,4,\#(acknowledged),"com.chat.mesage",["four"]]"#, "1< [17,4,74]",
      #"1> [16,5,{},"com.chat.mesage",["five"]]"#,
      #"1> [48,6,{},"wamp.session.add_testament",["com.chat.message",["I am gone"],{}]]"#,
      "1< [50,6,{}]", "1" + goodbye, "1" + reply, #"2< [36,501,75,{},["I am gone"]]"#,
      "2> [34,2,501]", "2< [35,2]", "2" + goodbye, "2" + reply,
    ])
  }

  private static func sideBySide(_ lines: [String]) -> [UInt8] {
    var talks = [Dialogue.from(50_001), Dialogue.from(50_002)]
    var all = Dialogue()
    for index in talks.indices {
      talks[index].clock = all.clock
      talks[index].open()
      all.clock = talks[index].clock
    }
    for line in lines {
      let index = line.hasPrefix("1") ? 0 : 1
      talks[index].clock = all.clock
      talks[index].text(
        line.dropFirst().hasPrefix(">") ? .toServer : .toClient, String(line.dropFirst(3)))
      all.clock = talks[index].clock
    }
    for index in talks.indices {
      talks[index].clock = all.clock
      talks[index].close()
      all.clock = talks[index].clock
      all.packets += talks[index].packets
    }
    all.packets.sort { $0.time < $1.time }
    return all.pcap()
  }

  /// What the meta API says of ids names the events of a session whose beginning nobody captured.
  static func metaLessons() -> [UInt8] {
    var asker = Dialogue.from(50_001)
    asker.open()
    let details =
      #"{"id":7256873951577395,"created":"2026-01-01T00:00:00Z","uri":"com.chat.message"#
    for line in [
      hello, welcome, #"> [48,1,{},"wamp.subscription.get",[7256873951577395]]"#,
      #"< [50,1,{},[\#(details)","match":"exact"}]]"#,
      #"> [32,2,{},"wamp.registration.on_create"]"#, "< [33,2,6086976093651389]",
      #"< [36,6086976093651389,71,{},[4711,{"id":2452950569857128,"uri":"com.user.get"}]]"#,
      "> [34,3,6086976093651389]", "< [35,3]",
      #"> [48,4,{},"wamp.subscription.lookup",["com.chat",{"match":"prefix"}]]"#,
      "< [50,4,{},[8134092712350121]]",
      #"> [48,5,{},"wamp.registration.lookup",["com.user.set"]]"#,
      "< [50,5,{},[3095672120983451]]", goodbye, reply,
    ] {
      asker.text(line.hasPrefix(">") ? .toServer : .toClient, String(line.dropFirst(2)))
    }
    asker.close()
    var other = Dialogue.from(50_002)
    other.open()
    other.join()
    other.dropAll()
    other.clock = asker.clock
    other.text(.toClient, #"[36,7256873951577395,72,{},["hi"]]"#)
    other.text(.toClient, "[68,1,2452950569857128,{},[7]]")
    other.text(.toServer, "[70,1,{},[8]]")
    other.text(.toClient, #"[68,2,3095672120983451,{},[9]]"#)
    other.text(.toServer, "[70,2,{}]")
    other.text(.toServer, "[34,5,8134092712350121]")
    other.text(.toClient, "[35,5]")
    other.close()
    asker.packets += other.packets
    return asker.pcap()
  }
}
