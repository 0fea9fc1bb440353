// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension JSONProtocol {
  /// OCPP-J, between charging stations and their management system, 1.6 to 2.1.
  static let ocpp = JSONProtocol(
    name: "ocpp", title: "OCPP-J", source: "OCPP-J 1.6 §4, OCPP 2.0.1 part 4",
    subprotocols: ["ocpp1.2", "ocpp1.5", "ocpp1.6", "ocpp2.0", "ocpp2.0.1", "ocpp2.1"],
    kindAt: [.value("[0]")],
    kinds: [
      JSONKind(
        "2", called: "CALL", .asks, elements: call, subject: "[2]", payload: "[3]",
        "Either side asks the other.",
        #"[2,"19223201","BootNotification",{"chargePointModel":"M"}]"#),
      JSONKind(
        "3", called: "CALLRESULT", .answers, elements: result, payload: "[2]",
        "The answer to a CALL.",
        #"[3,"19223201",{"status":"Accepted"}]"#),
      JSONKind(
        "4", called: "CALLERROR", .answers, fails: .always, elements: error, payload: "[4]",
        "A CALL failed.",
        #"[4,"19223201","NotSupported","no such action",{}]"#),
      JSONKind(
        "5", called: "CALLRESULTERROR", .notifies, fails: .always, elements: error, payload: "[4]",
        "An answer could not be used (OCPP 2.1).", #"[5,"19223201","FormatViolation","",{}]"#),
      JSONKind(
        "6", called: "SEND", .notifies, elements: call, subject: "[2]", payload: "[3]",
        "Asks for nothing (OCPP 2.1).",
        #"[6,"19223202","NotifyPeriodicEventStream",{}]"#),
    ],
    askers: .both, ids: ["[1]"], subjects: [],
    subjectsFromClient: fromStation, subjectsFromServer: fromManagement,
    distinction: .subjectLike(isAction), payloads: [],
    reasons: ["[2]"], explanation: "[3]", secrets: ["[3].connectionData.vpn.key"],
    urls: [
      "[3].location", "[3].firmware.location", "[3].log.remoteLocation",
      "[3].connectionData.ocppCsmsUrl",
    ],
    namedSecrets: [
      variables(in: "[3]", "key", "value"), variables(in: "[2].configurationKey", "key", "value"),
      variables(in: "[3].setVariableData", "variable.name", "attributeValue"),
      variables(in: "[2].getVariableResult", "variable.name", "attributeValue"),
      variables(in: "[3].eventData", "variable.name", "actualValue"),
      variables(in: "[3].reportData", "variable.name", "variableAttribute", inEach: "value"),
    ],
    page: [
      .layout([
        "[2, id, action, payload]", "[3, id, payload]", "[4, id, code, description, details]",
      ]),
      .beware(
        "The lists of WAMP v1 look alike; there a CALL names a URI, and a payload is anything."
      ),
    ])

  /// Actions of OCPP 1.6 §4 and §5, and those that every station of 2.0.1 sends or receives.
  private static let fromStation: [StaticString] = [
    "Authorize", "BootNotification", "DiagnosticsStatusNotification",
    "FirmwareStatusNotification", "Heartbeat", "MeterValues", "StartTransaction",
    "StatusNotification", "StopTransaction", "TransactionEvent", "NotifyReport", "NotifyEvent",
    "SecurityEventNotification", "SignCertificate",
  ]
  private static let fromManagement: [StaticString] = [
    "CancelReservation", "ChangeAvailability", "ChangeConfiguration", "ClearCache",
    "ClearChargingProfile", "GetCompositeSchedule", "GetConfiguration", "GetDiagnostics",
    "GetLocalListVersion", "RemoteStartTransaction", "RemoteStopTransaction", "ReserveNow", "Reset",
    "SendLocalList", "SetChargingProfile", "TriggerMessage", "UnlockConnector", "UpdateFirmware",
    "GetVariables", "SetVariables", "GetBaseReport", "RequestStartTransaction",
    "RequestStopTransaction",
  ]

  /// The passwords of stations, as 1.6 and 2.0.1 name them: in words whose case does not count.
  private static func variables(
    in place: JSONPath, _ name: JSONPath, _ value: JSONPath, inEach: JSONPath? = nil
  ) -> JSONNamedSecret {
    JSONNamedSecret(
      place: place, name: name, value: value, inEach: inEach,
      names: ["authorizationkey", "basicauthpassword", "apnpassword", "vpnpassword", "vpnkey"])
  }

  private static let call = [
    JSONListElement("messageTypeId", .natural), JSONListElement("messageId", .string),
    JSONListElement("action", .string), JSONListElement("payload", .object),
  ]
  private static let result = [
    JSONListElement("messageTypeId", .natural), JSONListElement("messageId", .string),
    JSONListElement("payload", .object),
  ]
  private static let error = [
    JSONListElement("messageTypeId", .natural), JSONListElement("messageId", .string),
    JSONListElement("errorCode", .string), JSONListElement("errorDescription", .string),
    JSONListElement("errorDetails", .object),
  ]

  /// `BootNotification`.
  private static let isAction: @Sendable (RawSpan) -> Bool = { text in
    !text.isEmpty && text.byte(at: 0) &- 0x41 < 26
      && (0..<text.byteCount).allSatisfy { text.byte(at: $0).isAlpha }
  }
}
