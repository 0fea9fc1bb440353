// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The dialects there are. What is recognised best wins; this order breaks ties.
public enum Dialects {
  public static let all: [any Dialect] = [
    WAMPDialect(), WAMPv1Dialect(), STOMPDialect(), MQTTDialect(), SockJSDialect(),
    EngineIODialect(),
    SocketIODialect(), JSONRPCDialect(), JSONProtocolDialect(.graphQL),
    JSONProtocolDialect(.phoenix), JSONProtocolDialect(.actionCable),
    JSONProtocolDialect(.signalR),
    JSONProtocolDialect(.pusher), JSONProtocolDialect(.centrifugo), JSONProtocolDialect(.ddp),
    JSONProtocolDialect(.ocpp), JSONProtocolDialect(.devTools),
    JSONProtocolDialect(.webDriverBiDi), JSONProtocolDialect(.marionette),
    JSONProtocolDialect(.debugAdapter), JSONProtocolDialect(.jupyter), JSONProtocolDialect(.janus),
    JSONProtocolDialect(.qmp), JSONDialect(),
  ]

  /// The dialect that tells messages under this name; nil for what carries them.
  public static func named(_ name: StaticString) -> (any Dialect)? {
    let name = Symbol(name)
    return names.firstIndex { $0.equals(name) }.map { all[$0] }
  }

  /// Those of `all`: a dialect is copied when it is looked at.
  private static let names = all.map { Symbol($0.name) }
}
