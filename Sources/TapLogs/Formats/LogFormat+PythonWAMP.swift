// SPDX-License-Identifier: Apache-2.0

/// Other libraries of WAMP in Python than Autobahn.
extension LogFormat {
  /// swampyer at DEBUG, above websockets, which prints the same once more. What it receives it
  /// prints as it came, and then by its fields:
  ///
  ///     SND>: (CALL)=[48, 3649746093698838, {}, 'com.example.add', [2, 3], {}]
  ///     --[CALL]----------------------------
  ///     <RCV: [50, 3649746093698838, {}, [5]]
  ///     <RCV: (RESULT)=[50, 3649746093698838, {}, [5], {}]
  static let swampyer = LogFormat(
    name: "swampyer", title: "swampyer",
    rules: [
      LogRule("SND>: (", .sent, at: .below, of: "wamp"),
      LogRule("<RCV: (", .received, .ignored, at: .below),
      LogRule("<RCV: ", .received, of: "wamp"),
    ],
    side: .client, family: "websockets", library: "websockets")

  /// The Python library wampy at DEBUG, which prints what it sends as frames:
  ///
  ///     DEBUG wampy.transports.websocket.connection send raw: bytearray(b'\x81\x9d…')
  ///     INFO wampy.session handling [33,3610506978,1418506308920862]
  static let wampyPython = LogFormat(
    name: "wampy-python", title: "wampy (Python)",
    rules: [
      LogRule("send raw: bytearray(b", .sent, .frame(.wire)),
      LogRule("wampy.session handling ", .received),
      LogRule("wampy.session:handling ", .received),
      LogRule("wampy.messagehandler received error: ", .unsaid, .ignored),
      LogRule("wampy.messagehandler:received error: ", .unsaid, .ignored),
      LogRule("wampy.publishing publishing message: ", .unsaid, .ignored),
      LogRule("wampy.publishing:publishing message: ", .unsaid, .ignored),
    ],
    side: .client, anchors: ["ytearray("])

  /// fastapi-headless-wamp, a server, at DEBUG:
  ///
  ///     DEBUG fastapi_headless_wamp.session: Session 0 received: [1, 'realm1', {'roles': …}]
  ///     DEBUG fastapi_headless_wamp.session: Session 519110 sent: [<WampMessageType.WELCOME: 2>, …
  static let fastAPIHeadlessWAMP = LogFormat(
    name: "fastapi-headless-wamp", title: "fastapi-headless-wamp",
    rules: [
      LogRule(" received: ", .received, session: .beforeMark("Session ")),
      LogRule(" sent: ", .sent, session: .beforeMark("Session ")),
    ],
    side: .server, requiredWord: "fastapi_headless_wamp")
}
