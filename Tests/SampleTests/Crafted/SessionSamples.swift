// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Sessions that break what no single message can break.
extension Crafted {
  static let sessions = [
    Crafted("wamp/session-order/input.pcap", sessionOrder),
    Crafted("wamp/requests/input.pcap", requests),
    Crafted("wamp/grants/input.pcap", grants),
  ]

  static let features =
    #"{"features":{"progressive_call_results":true,"progressive_call_invocations":true,"#
    + #""call_timeout":true,"call_canceling":true,"pattern_based_subscription":true,"#
    + #""pattern_based_registration":true,"subscriber_blackwhite_listing":true,"#
    + #""shared_registration":true}}"#
  static let hello =
    #"> [1,"chat",{"roles":{"publisher":{},"subscriber":{},"callee":{},"caller":\#(features)}}]"#
  static let welcome =
    #"< [2,1002783120652702,{"roles":{"broker":{},"dealer":\#(features)}}]"#
  static let goodbye = #"> [6,{},"wamp.close.close_realm"]"#
  static let reply = #"< [6,{},"wamp.close.goodbye_and_out"]"#

  /// Connections one after the other; `>` is said by the client, `<` by the server.
  static func talks(_ talks: [[String]]) -> [UInt8] {
    var all: [Dialogue] = []
    for lines in talks {
      var talk = Dialogue.from(UInt16(50_000 + all.count))
      talk.open()
      for line in lines {
        if line.hasPrefix("wait") {
          talk.wait(milliseconds: 2500)
        } else {
          talk.text(line.hasPrefix(">") ? .toServer : .toClient, String(line.dropFirst(2)))
        }
      }
      talk.close()
      all.append(talk)
    }
    var merged = Dialogue()
    // Each begins where the one before it ended.
    var clock: UInt64 = merged.clock
    var packets: [CaptureBuilder.Timed] = []
    for talk in all {
      guard let first = talk.packets.first?.time, let last = talk.packets.last?.time else {
        continue
      }
      for packet in talk.packets { packets.append((clock + (packet.time - first), packet.bytes)) }
      clock += last - first + 100_000_000
    }
    merged.packets = packets
    return merged.pcap()
  }

  private static func sessionOrder() -> [UInt8] {
    talks([
      [#"> [32,1,{},"com.chat.message"]"#],
      [hello, #"> [32,1,{},"com.chat.message"]"#, welcome, "< [33,1,5862354]"],
      [hello, welcome, #"> [1,"other",{"roles":{"caller":{}}}]"#],
      [hello, welcome, welcome, #"< [4,"ticket",{}]"#, goodbye],
      [welcome, goodbye, reply],
      [hello, #"> [5,"",{}]"#, #"< [3,{"message":"no"},"wamp.error.no_such_realm"]"#, "wait"]
        + [#"> [48,1,{},"com.user.get"]"#],
      [hello, welcome, goodbye, #"> [34,1,5862354]"#, reply],
      [hello, welcome, #"> [3,{},"wamp.error.protocol_violation"]"#],
      [#"> [1,"chat",{}]"#, #"< [2,1002783120652702,{}]"#, #"> [36,5862354,71,{}]"#],
    ])
  }

  private static func requests() -> [UInt8] {
    talks([
      [
        hello, welcome, #"> [48,1,{"receive_progress":true},"com.user.all"]"#,
        #"< [50,1,{"progress":true},["part"]]"#, #"> [48,2,{},"com.user.slow"]"#,
        #"> [48,3,{"timeout":500},"com.user.get",[1]]"#, #"> [48,4,{},"com.user.ban",[7]]"#,
        #"> [49,4,{"mode":"kill"}]"#, "> [49,4,{}]", "> [49,9,{}]", "wait", "< [50,3,{},[1]]",
        "< [50,3,{},[1]]", "< [50,99,{},[1]]", #"> [48,5,{},"com.user.get",[2]]"#,
        #"> [48,5,{},"com.user.get",[3]]"#, "< [33,5,5862354]",
        #"< [50,5,{"progress":true},[2]]"#, "< [50,5,{},[2]]",
        #"> [48,6,{},"com.user.gte",[2]]"#,
        #"< [8,48,6,{},"wamp.error.no_such_procedure"]"#,
        #"> [32,7,{},"com.secret"]"#, #"< [8,32,7,{},"wamp.error.not_authorized"]"#,
        #"> [8,48,7,{},"com.user.error"]"#, #"< [8,17,7,{},"com.user.error"]"#,
        #"< [8,48,77,{},"com.user.error"]"#, #"> [32,8,{},"com.chat.message"]"#,
        "< [33,8,5862354]", "< [33,8,5862354]", #"> [48,11,{},"com.user.get"]"#,
        #"> [32,11,{},"com.chat.last"]"#, "< [33,11,5862355]", "< [65,44,5862355]",
        "< [50,11,{}]", "> [34,12,5862354]", "< [35,12]", "> [34,13,5862355]", "< [35,13]", goodbye,
        reply,
      ],
      [
        hello, welcome, #"> [64,501,{},"com.user.get"]"#, "< [65,501,9001]", "< [68,1,9001,{}]",
        "> [70,1,{},[1]]", "> [70,1,{},[1]]", "> [70,5,{},[1]]", "< [69,5,{}]", "< [68,2,9001,{}]",
        "> [66,502,9001]", "< [67,502]", goodbye, reply,
      ],
    ])
  }

  private static func grants() -> [UInt8] {
    talks([
      [
        hello, welcome, #"> [32,1,{},"com.chat.message"]"#, "< [36,5862354,71,{}]",
        "< [33,1,5862354]", "< [36,4711,72,{}]", "> [34,2,5862354]", "> [34,3,5862354]",
        "< [35,2]", "< [35,3]", "< [36,5862354,73,{}]", "> [34,4,5862354]",
        #"< [8,34,4,{},"wamp.error.no_such_subscription"]"#, #"> [32,5,{},"com.chat.last"]"#,
        "< [33,5,5862355]", #"> [64,6,{},"com.user.get"]"#, "< [65,6,9001]", "> [66,7,9001]",
        "< [67,7]", "< [68,1,9001,{}]", "> [70,1,{}]", "< [68,2,9002,{}]", "> [70,2,{}]",
        "> [66,8,9002]", #"< [8,66,8,{},"wamp.error.no_such_registration"]"#,
        #"> [64,9,{},"com.user.ban"]"#, "< [65,9,9003]",
        #"< [67,0,{"registration":9003,"reason":"com.admin.wish"}]"#,
        #"< [35,0,{"subscription":4712}]"#, #"> [64,10,{},"com.user.set"]"#, "< [65,10,9004]",
        #"> [32,11,{},"com..last"]"#, #"< [8,32,11,{},"wamp.error.invalid_uri"]"#,
        #"> [64,12,{},"wamp.session.mine"]"#, #"< [8,64,12,{},"wamp.error.invalid_uri"]"#,
        goodbye, reply,
      ]
    ])
  }
}
