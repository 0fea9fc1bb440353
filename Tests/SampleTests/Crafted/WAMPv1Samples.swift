// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// WAMP v1, under the subprotocol `wamp`.
extension Crafted {
  static let wampv1 = [
    Crafted("wampv1/talk/input.pcap", talk),
    Crafted("wampv1/broken/input.pcap", broken),
    Crafted("wampv1/mixed/input.pcap", mixed),
    Crafted("wampv1/league/input.pcap", league),
  ]

  /// As the client of League of Legends speaks it: no WELCOME, and topics that are no URI.
  private static func league() -> [UInt8] {
    var talk = Dialogue()
    talk.open(nil)
    talk.text(.toServer, #"[5,"OnJsonApiEvent_lol-gameflow_v1_gameflow-phase"]"#)
    talk.text(
      .toClient,
      #"[8,"OnJsonApiEvent_lol-gameflow_v1_gameflow-phase",{"data":"ReadyCheck","#
        + #""eventType":"Update","uri":"/lol-gameflow/v1/gameflow-phase"}]"#)
    talk.text(.toServer, #"[6,"OnJsonApiEvent_lol-gameflow_v1_gameflow-phase"]"#)
    talk.close()
    return talk.pcap()
  }

  /// The messages of the specification's examples, and an authentication.
  private static func talk() -> [UInt8] {
    var talk = Dialogue()
    talk.open("wamp")
    let messages: [(Direction, String)] = [
      (.toClient, #"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#),
      (.toServer, #"[1,"calc","http://example.com/simple/calc#"]"#),
      (.toServer, #"[1,"api","http://api.wamp.ws/procedure#"]"#),
      (.toServer, #"[2,"hD7xQ4","api:authreq","joe",null]"#),
      (
        .toClient,
        #"[3,"hD7xQ4","{\"authid\":\"G6q\",\"authkey\":\"joe\",\"time\":\"2013\"}"]"#
      ),
      (.toServer, #"[2,"Fk2mZw","api:auth","kVCGDXZ7WTyxBhD7xQ4Fk2mZw="]"#),
      (.toClient, #"[3,"Fk2mZw",{"pubsub":[],"rpc":[]}]"#),
      (.toServer, #"[2,"Yp9EFZt9DFkuKndg","calc:add",23,99]"#),
      (.toServer, #"[2,"M0nncaH0ywCSYzRv","calc:sqrt",-1]"#),
      (.toClient, #"[3,"Yp9EFZt9DFkuKndg",122]"#),
      (
        .toClient,
        #"[4,"M0nncaH0ywCSYzRv","http://example.com/error#math","math domain error",{"x":-1}]"#
      ),
      (.toServer, #"[5,"http://example.com/simple"]"#),
      (.toServer, #"[7,"http://example.com/simple","Hello, world!"]"#),
      (.toClient, #"[8,"http://example.com/simple","Hello, world!"]"#),
      (.toServer, #"[7,"http://example.com/simple",{"a":1},true]"#),
      (.toServer, #"[7,"http://example.com/simple",{"a":1},["v59mbCGDXZ7WTyxB"],["Nwt"]]"#),
      (.toServer, #"[6,"http://example.com/simple"]"#),
    ]
    for (direction, text) in messages { talk.text(direction, text) }
    talk.close()
    return talk.pcap()
  }

  private static func broken() -> [UInt8] {
    var talk = Dialogue()
    talk.open("wamp")
    let messages: [(Direction, String)] = [
      (.toClient, #"[8,"http://example.com/simple",1]"#),
      (.toClient, #"[0,"v59mbCGDXZ7WTyxB",2,"Autobahn/0.5.1"]"#),
      (.toServer, #"[5,"simple"]"#), (.toServer, #"[5,"event:simple"]"#),
      (.toServer, #"[2,"1","http://example.com/api#slow"]"#),
      (.toServer, #"[2,"1","http://example.com/api#slow"]"#),
      (.toClient, #"[3,"2",null]"#), (.toClient, #"[5,"http://example.com/simple"]"#),
      (.toServer, #"[7,"http://example.com/simple","good bye"]"#),
    ]
    for (direction, text) in messages { talk.text(direction, text) }
    talk.close()
    return talk.pcap()
  }

  /// Each version where the other was agreed upon, and v1 where nothing was.
  private static func mixed() -> [UInt8] {
    var old = Dialogue()
    old.open("wamp")
    old.text(.toClient, #"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#)
    old.text(.toServer, #"[1,"chat",{"roles":{"caller":{}}}]"#)
    old.text(.toServer, "[5]")
    old.close()
    var new = Dialogue.from(50_001)
    new.open("wamp.2.json")
    new.join()
    new.text(.toServer, #"[5,"http://example.com/simple"]"#)
    new.leave()
    var bare = Dialogue.from(50_002)
    bare.connect()
    bare.request("wamp")
    bare.respond(nil)
    bare.text(.toClient, #"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#)
    bare.text(.toServer, #"[5,"http://example.com/simple"]"#)
    bare.close()
    var late = Dialogue.from(50_003)
    late.open("wamp")
    late.dropAll()
    late.text(.toClient, #"[8,"http://example.com/simple",1]"#)
    late.text(.toClient, #"[3,"1",{}]"#)
    late.text(.toServer, #"[6,"http://example.com/simple"]"#)
    late.close()
    return Dialogue.pcap([old, new, bare, late])
  }
}
