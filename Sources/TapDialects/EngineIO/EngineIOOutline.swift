// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of an OPEN, key by key; of other packets their text.
enum EngineIOOutline {
  static func append(
    _ message: Message, _ bytes: RawSpan, to branches: inout ContiguousArray<Branch>
  ) {
    guard message.name.equals("OPEN"), message.traits.contains(.isJSON) else {
      return PlainOutline.append(message, bytes, to: &branches)
    }
    var at = 1
    while let member = JSON.next(bytes, &at, inObject: true) {
      guard branches.count < Limits.standard.outlineLines else {
        return branches.append(.more(depth: 0))
      }
      var branch = Branch("", .json, member.value.range)
      branch.key = member.key
      branch.meaning = meaning(bytes[member.key])
      branches.append(branch)
    }
  }

  private static func meaning(_ key: RawSpan) -> StaticString {
    if key.equals("sid") { return "the session: who has it can read and write" }
    if key.equals("upgrades") { return "transports that the session may change to" }
    if key.equals("pingInterval") { return "milliseconds from one ping to the next" }
    if key.equals("pingTimeout") { return "milliseconds that an answer may take" }
    if key.equals("maxPayload") { return "bytes that the server takes at once" }
    return ""
  }
}
