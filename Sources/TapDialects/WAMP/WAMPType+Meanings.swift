// SPDX-License-Identifier: Apache-2.0

extension WAMPType {
  /// What a message of this type says, in a few words.
  var meaning: StaticString {
    switch code {
    case WAMPCode.hello: "a client asks to join a realm"
    case WAMPCode.welcome: "the router opens the session"
    case WAMPCode.abort: "the session is not opened, or is broken off"
    case WAMPCode.challenge: "the router asks for a proof of identity"
    case WAMPCode.authenticate: "the client's proof"
    case WAMPCode.goodbye: "a side leaves the session, or agrees to"
    case WAMPCode.heartbeat: "removed from WAMP in 2015"
    case WAMPCode.error: "a request failed"
    case WAMPCode.publish: "a client sends an event to a topic"
    case WAMPCode.published: "the broker took the event"
    case WAMPCode.subscribe: "a client asks for the events of a topic"
    case WAMPCode.subscribed: "the broker grants the subscription"
    case WAMPCode.unsubscribe: "a client wants no more events"
    case WAMPCode.unsubscribed: "the subscription has ended"
    case WAMPCode.event: "the broker delivers what was published"
    case WAMPCode.call: "a client calls a procedure"
    case WAMPCode.cancel: "the caller gives the call up"
    case WAMPCode.result: "the call's result"
    case WAMPCode.register: "a client offers a procedure"
    case WAMPCode.registered: "the dealer grants the registration"
    case WAMPCode.unregister: "a client takes its procedure back"
    case WAMPCode.unregistered: "the registration has ended"
    case WAMPCode.invocation: "the dealer passes a call to the callee"
    case WAMPCode.interrupt: "the dealer tells the callee to stop"
    case WAMPCode.yield: "the callee's result"
    case WAMPCode.eventReceived: "a subscriber confirms an event"
    default: ""
    }
  }

  /// What the elements after the code are for, in the order of ``titles``.
  var meanings: [StaticString] {
    let request: StaticString = "number of this request; the answer repeats it"
    let answered: StaticString = "the request that is answered"
    let arguments: StaticString = "payload by position"
    let keywords: StaticString = "payload by name"
    return switch code {
    case WAMPCode.hello:
      ["domain to join: it has its own topics and procedures", "who the client is"]
    case WAMPCode.welcome:
      ["id of the session, unique everywhere", "who the router is, and who you are"]
    case WAMPCode.abort: ["more on the reason", "why, as a URI", arguments, keywords]
    case WAMPCode.challenge: ["how the client is to prove itself", "what that needs"]
    case WAMPCode.authenticate: ["the proof", "what belongs to the proof"]
    case WAMPCode.goodbye: ["more on the reason", "why, as a URI"]
    case WAMPCode.error:
      [
        "kind of the request that failed", "number of that request", "more on the error",
        "what went wrong, as a URI", arguments, keywords,
      ]
    case WAMPCode.publish: [request, "who gets it", "what the event is about", arguments, keywords]
    case WAMPCode.published: [answered, "id of the event, in the EVENTs too"]
    case WAMPCode.subscribe: [request, "how it is to match", "what to subscribe to"]
    case WAMPCode.subscribed: [answered, "stands for the topic in every EVENT"]
    case WAMPCode.unsubscribe: [request, "the subscription to end", "an extension"]
    case WAMPCode.unsubscribed:
      ["the request that is answered; 0: the router revokes", "what is revoked"]
    case WAMPCode.event:
      [
        "stands for the topic", "id of the event, one for all subscribers",
        "more on the event", arguments, keywords,
      ]
    case WAMPCode.call: [request, "how it is to be called", "what to call", arguments, keywords]
    case WAMPCode.cancel: ["the call that is given up", "how"]
    case WAMPCode.result: ["the call that is answered", "more on the result", arguments, keywords]
    case WAMPCode.register: [request, "how calls are to match and to be shared", "what is offered"]
    case WAMPCode.registered: [answered, "stands for the procedure in every INVOCATION"]
    case WAMPCode.unregister: [request, "the registration to end", "an extension"]
    case WAMPCode.unregistered:
      ["the request that is answered; 0: the router revokes", "what is revoked"]
    case WAMPCode.invocation:
      [
        "number that the dealer gave it; YIELD repeats it", "stands for the procedure",
        "more on the call", arguments, keywords,
      ]
    case WAMPCode.interrupt: ["the invocation that is to stop", "how, and why"]
    case WAMPCode.yield:
      ["the invocation that is answered", "more on the result", arguments, keywords]
    case WAMPCode.eventReceived: ["the event that is confirmed"]
    default: []
    }
  }
}
