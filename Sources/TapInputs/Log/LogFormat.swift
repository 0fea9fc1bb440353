// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What the lines of one program look like in a log: data, one file each in `Formats/`.
struct LogFormat: Sendable {
  /// For `--input`: `autobahn-python`.
  var name: StaticString
  /// As people call the program.
  var title: StaticString
  /// Its lines, those first that are told by more.
  var rules: [LogRule]
  /// Which side of the conversation writes it; unknown when messages have to tell.
  var side = Side.unknown
  /// Words of a line that tell the side, where the program may be either.
  var sideWords: [(words: StaticString, side: Side)] = []
  /// It prints what both sides send, from the first message on.
  var isWhole = true
  /// What a lower of its layers prints, a higher prints as well: it is told once.
  var isLayered = false
  /// It prints each message once more, as the application has it, on the line before.
  var repeats = false
  /// Many programs print such lines: other words on them say as much as its marks, and what another
  /// such format prints may be of the same conversation.
  var isGeneric = false
  /// What it has in common with other formats whose lines may be of the same conversation; empty
  /// for nothing.
  var kin: StaticString = ""
  /// What stands on lines that are worth a look although there is no list on them. Begins with
  /// one of the octets of `LogFormats.leads`.
  var anchors: [StaticString] = []

  /// Who writes a log, of the two that talk.
  enum Side: Sendable { case client, router, unknown }

  func direction(_ way: LogRule.Way, _ side: Side) -> Direction {
    switch way {
    case .toServer: .toServer
    case .toClient: .toClient
    case .unsaid: .unknown
    case .sent: side == .router ? .toClient : .toServer
    case .received: side == .router ? .toServer : .toClient
    }
  }
}
