// SPDX-License-Identifier: Apache-2.0

extension WAMPType {
  /// What a message of this type says, in a few words.
  var meaning: StaticString {
    switch code {
    case 1: "a client asks to join a realm"
    case 2: "the router opens the session"
    case 3: "the session is not opened, or is broken off"
    case 4: "the router asks for a proof of identity"
    case 5: "the client's proof"
    case 6: "a side leaves the session, or agrees to"
    case 7: "removed from WAMP in 2015"
    case 8: "a request failed"
    case 16: "a client sends an event to a topic"
    case 17: "the broker took the event"
    case 32: "a client asks for the events of a topic"
    case 33: "the broker grants the subscription"
    case 34: "a client wants no more events"
    case 35: "the subscription has ended"
    case 36: "the broker delivers what was published"
    case 48: "a client calls a procedure"
    case 49: "the caller gives the call up"
    case 50: "the call's result"
    case 64: "a client offers a procedure"
    case 65: "the dealer grants the registration"
    case 66: "a client takes its procedure back"
    case 67: "the registration has ended"
    case 68: "the dealer passes a call to the callee"
    case 69: "the dealer tells the callee to stop"
    case 70: "the callee's result"
    case 337: "a subscriber confirms an event"
    default: ""
    }
  }

  /// What the elements behind the code are for, in the order of ``titles``.
  var meanings: [StaticString] {
    let request: StaticString = "number of this request; the answer repeats it"
    let answered: StaticString = "the request that is answered"
    let arguments: StaticString = "payload by position"
    let keywords: StaticString = "payload by name"
    return switch code {
    case 1: ["domain to join: it has its own topics and procedures", "who the client is"]
    case 2: ["id of the session, unique everywhere", "who the router is, and who you are"]
    case 3: ["more on the reason", "why, as a URI", arguments, keywords]
    case 4: ["how the client is to prove itself", "what that needs"]
    case 5: ["the proof", "what belongs to the proof"]
    case 6: ["more on the reason", "why, as a URI"]
    case 8:
      [
        "kind of the request that failed", "number of that request", "more on the error",
        "what went wrong, as a URI", arguments, keywords,
      ]
    case 16: [request, "who gets it", "what the event is about", arguments, keywords]
    case 17: [answered, "id of the event, in the EVENTs too"]
    case 32: [request, "how it is to match", "what to subscribe to"]
    case 33: [answered, "stands for the topic in every EVENT"]
    case 34: [request, "the subscription to end", "an extension"]
    case 35: ["the request that is answered; 0: the router revokes", "what is revoked"]
    case 36:
      [
        "stands for the topic", "id of the event, one for all subscribers",
        "more on the event", arguments, keywords,
      ]
    case 48: [request, "how it is to be called", "what to call", arguments, keywords]
    case 49: ["the call that is given up", "how"]
    case 50: ["the call that is answered", "more on the result", arguments, keywords]
    case 64: [request, "how calls are to match and to be shared", "what is offered"]
    case 65: [answered, "stands for the procedure in every INVOCATION"]
    case 66: [request, "the registration to end", "an extension"]
    case 67: ["the request that is answered; 0: the router revokes", "what is revoked"]
    case 68:
      [
        "number that the dealer gave it; YIELD repeats it", "stands for the procedure",
        "more on the call", arguments, keywords,
      ]
    case 69: ["the invocation that is to stop", "how, and why"]
    case 70: ["the invocation that is answered", "more on the result", arguments, keywords]
    case 337: ["the event that is confirmed"]
    default: []
    }
  }
}
