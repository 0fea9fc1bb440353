// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of JSON-RPC.
enum JSONRPCGuide {
  static let messageTypes = Topic.Group("JSON-RPC messages", "JSON-RPC message")

  static let topics: [Topic] = [
    Topic(
      messageTypes, "REQUEST", "Asks the other side to run a method and to answer.",
      [
        .layout([#"{"jsonrpc":"2.0","id":text|number,"method":text,"params":object|list}"#]),
        .answered("RESPONSE or ERROR with the same id"),
        .beware("Either side may ask, and each counts its own ids. 1 and \"1\" are two ids."),
        .example([#"{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}"#]),
      ], source: "JSON-RPC 2.0 §4"),
    Topic(
      messageTypes, "NOTIFICATION", "Informs the other side; there is no answer.",
      [
        .layout([#"{"jsonrpc":"2.0","method":text,"params":object|list}"#]),
        .answered("nothing, not even an error"),
        .beware("In JSON-RPC 1.0 it has an id, which is null."),
        .example([#"{"jsonrpc":"2.0","method":"update","params":[1,2,3]}"#]),
      ], source: "JSON-RPC 2.0 §4.1"),
    Topic(
      messageTypes, "RESPONSE", "The result of a request.",
      [
        .layout([#"{"jsonrpc":"2.0","id":…,"result":any}"#]), .answers("REQUEST"),
        .beware("In JSON-RPC 1.0 it has an error as well, which is null."),
        .example([#"{"jsonrpc":"2.0","result":19,"id":1}"#]),
      ], source: "JSON-RPC 2.0 §5"),
    Topic(
      messageTypes, "ERROR", "A request failed: a code, and words for people.",
      [
        .layout([#"{"jsonrpc":"2.0","id":…,"error":{"code":integer,"message":text,"data":any}}"#]),
        .answers("REQUEST"),
        .beware("The id is null where the request could not be read."),
        .example([
          #"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"1"}"#
        ]),
      ], source: "JSON-RPC 2.0 §5.1"),
  ]
}
