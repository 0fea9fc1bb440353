// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// All dialects. The best recognition wins; on a tie, the order here decides.
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

  /// The recognisers of `all`.
  public static func recognisers(limits: Limits, _ scan: SharedScan) -> [any Recogniser] {
    all.map { $0.recogniser(limits: limits, scan) }
  }

  /// The dialect of messages with this name; nil for carriers.
  public static func named(_ name: StaticString) -> (any Dialect)? {
    let name = Symbol(name)
    return names.firstIndex { $0.equals(name) }.map { all[$0] }
  }

  /// The names of `all`, as looking at a dialect copies it.
  private static let names = all.map { Symbol($0.name) }
}
