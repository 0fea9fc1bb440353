// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``STOMPFindings``.
extension Finding.Code {
  static let stompSubscriptionDuplicate: Self = "stomp.subscription-id-duplicate"
  static let stompSubscribeDuplicate: Self = "stomp.subscribe-duplicate"
  static let stompUnsubscribeUnknown: Self = "stomp.unsubscribe-unknown"
  static let stompMessageUnknown: Self = "stomp.message-unknown-subscription"
  static let stompAfterUnsubscribe: Self = "stomp.message-after-unsubscribe"
  static let stompSubscriptionLeftOpen: Self = "stomp.subscription-left-open"
  static let stompAckModeUnknown: Self = "stomp.ack-mode-unknown"
  static let stompAckUnknown: Self = "stomp.ack-unknown"
  static let stompAckTwice: Self = "stomp.ack-twice"
  static let stompAckInAuto: Self = "stomp.ack-in-auto"
  static let stompUnacknowledged: Self = "stomp.message-unacknowledged"
  static let stompRedelivered: Self = "stomp.message-redelivered"
  static let stompReceiptUnanswered: Self = "stomp.receipt-unanswered"
  static let stompReceiptUnknown: Self = "stomp.receipt-unknown"
  static let stompReceiptDuplicate: Self = "stomp.receipt-duplicate"
  static let stompTransactionUnknown: Self = "stomp.transaction-unknown"
  static let stompTransactionDuplicate: Self = "stomp.transaction-duplicate"
  static let stompTransactionLeftOpen: Self = "stomp.transaction-left-open"
}

/// About subscriptions, acknowledgements, receipts and transactions.
extension STOMPFindings {
  static let subscriptions: [Explanation] = [
    Explanation(
      .stompSubscriptionDuplicate, .error, "Two subscriptions of a connection have the same id.",
      cause: "Parts of a client that count on their own.",
      remedy: "Use one id for each; RabbitMQ closes the connection.",
      source: "STOMP 1.2, \"SUBSCRIBE id Header\""),
    Explanation(
      .stompSubscribeDuplicate, .note, "A destination is subscribed to twice.",
      cause: "A component that subscribes anew each time it is shown.",
      remedy: "UNSUBSCRIBE the old one: each message comes twice, or goes to one of the two.",
      source: "STOMP 1.2, \"SUBSCRIBE\""),
    Explanation(
      .stompUnsubscribeUnknown, .warning, "UNSUBSCRIBE names a subscription that is not open.",
      cause: "The destination was sent in place of the id, or it was given back before.",
      remedy: "Send the id of the SUBSCRIBE.", source: "STOMP 1.2, \"UNSUBSCRIBE\""),
    Explanation(
      .stompMessageUnknown, .error, "A MESSAGE is for a subscription that was never asked for.",
      cause: "A server, or a program between, that mixes up connections.",
      remedy: "Look up the id in the server's log.", source: "STOMP 1.2, \"MESSAGE\""),
    Explanation(
      .stompAfterUnsubscribe, .note, or: .warning,
      "A MESSAGE comes after UNSUBSCRIBE; a warning when that is more than a second later.",
      cause: "It was on its way, or the server did not take the UNSUBSCRIBE.",
      remedy: "Ask for a receipt of UNSUBSCRIBE, and keep the handler until it comes.",
      source: "STOMP 1.2, \"UNSUBSCRIBE\""),
    Explanation(
      .stompSubscriptionLeftOpen, .note, "Subscriptions were open when the connection ended.",
      cause: "A client that disconnects without UNSUBSCRIBE.",
      remedy: "Nothing, unless connections live long: then it is a leak.",
      source: "STOMP 1.2, \"SUBSCRIBE\""),
  ]

  static let acknowledgements: [Explanation] = [
    Explanation(
      .stompAckModeUnknown, .error, "The ack header of SUBSCRIBE is none of the three words.",
      cause: "A misspelled word.", remedy: "Write auto, client or client-individual.",
      source: "STOMP 1.2, \"SUBSCRIBE ack Header\""),
    Explanation(
      .stompAckUnknown, .error, "ACK or NACK names a message that was not delivered.",
      cause: "An id of an earlier connection, or message-id in place of the ack header.",
      remedy: "In 1.2, send the ack header of the MESSAGE as id.", source: "STOMP 1.2, \"ACK\""),
    Explanation(
      .stompAckTwice, .warning, "A message is acknowledged twice.",
      cause: "In mode client, an ACK counts for all earlier messages of the subscription, too.",
      remedy: "Send one, or use client-individual.", source: "STOMP 1.2, \"ACK\""),
    Explanation(
      .stompAckInAuto, .warning, "ACK or NACK for a subscription that needs none.",
      cause: "SUBSCRIBE has no ack header, so its mode is auto.",
      remedy: "Add ack:client-individual to SUBSCRIBE, or send no ACK.",
      source: "STOMP 1.2, \"SUBSCRIBE ack Header\""),
    Explanation(
      .stompUnacknowledged, .warning, "Messages were delivered and not acknowledged.",
      cause: "A handler that failed, or that forgets to acknowledge.",
      remedy: "The server delivers them again. With prefetch-count it stops when that many are"
        + " open.",
      source: "STOMP 1.2, \"SUBSCRIBE ack Header\""),
    Explanation(
      .stompRedelivered, .note, "A message is delivered again.",
      cause: "A client did not acknowledge it, or sent NACK.",
      remedy: "See that handlers bear the same message twice.", source: "RabbitMQ, STOMP plugin"),
  ]

  static let others: [Explanation] = [
    Explanation(
      .stompReceiptUnanswered, .warning, or: .note, "A frame asked for a receipt, and got none.",
      cause: "The server failed before it came to the frame, or sends receipts of DISCONNECT only,"
        + " as Spring's simple broker.",
      remedy: "Take the frame for lost, and send it again if that does no harm.",
      source: "STOMP 1.2, \"Header receipt\""),
    Explanation(
      .stompReceiptUnknown, .warning, "A RECEIPT has an id that no frame asked for.",
      cause: "A server that sends it twice.", remedy: "Look it up in the server's log.",
      source: "STOMP 1.2, \"RECEIPT\""),
    Explanation(
      .stompReceiptDuplicate, .warning, "Two frames ask for the same receipt.",
      cause: "An id that is the same for all frames.",
      remedy: "Use a new one for each: otherwise nobody knows which frame was taken.",
      source: "STOMP 1.2, \"Header receipt\""),
    Explanation(
      .stompTransactionUnknown, .error, "A frame names a transaction that is not open.",
      cause: "BEGIN was not sent, or the transaction ended with another connection.",
      remedy: "Send BEGIN first.", source: "STOMP 1.2, \"BEGIN\""),
    Explanation(
      .stompTransactionDuplicate, .error, "BEGIN names a transaction that is open.",
      cause: "An id that is used again too early.", remedy: "Use a new id for each.",
      source: "STOMP 1.2, \"BEGIN\""),
    Explanation(
      .stompTransactionLeftOpen, .warning, "A transaction has neither COMMIT nor ABORT.",
      cause: "A client that failed on its way.",
      remedy: "All of it was undone: send it again.", source: "STOMP 1.2, \"DISCONNECT\""),
  ]
}
