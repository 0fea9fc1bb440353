// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// Jupyter messages between a notebook and its kernel, as the server forwards them.
  static let jupyter = JSONProtocol(
    name: "jupyter", title: "Jupyter", source: "Jupyter client documentation, Messaging",
    subprotocols: ["v1.kernel.websocket.jupyter.org"],
    unpacking: Unpacking(name: "Jupyter binary", append: JupyterParts.append),
    kindAt: [.value("header.msg_type")],
    kinds: [
      ask("execute_request", "The notebook has code run.", #"{"code":"6*7"}"#),
      reply("execute_reply", "The code has run, or failed; its output came before."),
      ask("inspect_request", "What is this name?", #"{"code":"print","cursor_pos":3}"#),
      reply("inspect_reply", "What is known of a name."),
      ask("complete_request", "How may this code go on?", #"{"code":"pri","cursor_pos":3}"#),
      reply("complete_reply", "How code may go on."),
      ask("is_complete_request", "Is this code complete?", #"{"code":"for"}"#),
      // Its status says what the code is, not what came of the request.
      reply("is_complete_reply", "Whether code is complete.", fails: .never, status: "complete"),
      ask("history_request", "What was run before?"),
      reply("history_reply", "What was run before."),
      ask("kernel_info_request", "Which kernel is this?"),
      reply("kernel_info_reply", "The language and the versions of the kernel."),
      ask("comm_info_request", "Which comms are open?"),
      reply("comm_info_reply", "The comms that are open."),
      ask("interrupt_request", "The notebook stops what runs."),
      reply("interrupt_reply", "What ran was stopped."),
      ask("shutdown_request", "The kernel shall end, or begin again."),
      reply("shutdown_reply", "The kernel ends."),
      ask("debug_request", "A request of the Debug Adapter Protocol."),
      reply("debug_reply", "An answer of the Debug Adapter Protocol."),
      output(
        "status", "The kernel works at a request (busy), or is done with it (idle).",
        #"{"execution_state":"busy"}"#, subject: "content.execution_state"),
      output(
        "stream", "What was printed.", #"{"name":"stdout","text":"hello\n"}"#,
        subject: "content.name"),
      output("execute_input", "The code that runs now.", #"{"code":"6*7","execution_count":1}"#),
      output("execute_result", "The value of the code.", #"{"data":{"text/plain":"42"}}"#),
      output("display_data", "Something to show."),
      output("update_display_data", "A change of what is shown."),
      output("clear_output", "What is shown goes away."),
      output(
        "error", "The code has failed; the reply says so, too.",
        #"{"ename":"ZeroDivisionError","evalue":"division by zero","traceback":[]}"#,
        subject: "content.ename"),
      output("debug_event", "An event of the Debug Adapter Protocol."),
      output(
        "input_request", "The code asks the user.", #"{"prompt":"name? ","password":false}"#),
      JSONKind(
        "input_reply", .notifies, distinct: marks, "What the user has typed.",
        example("input_reply", #"{"value":"x"}"#, parent: true)),
      comm("comm_open", "A comm between the notebook and code begins."),
      comm("comm_msg", "A message on a comm."), comm("comm_close", "A comm ends."),
    ],
    other: JSONKind("", called: "message", .mayAsk, "", ""),
    ids: ["header.msg_id"], answers: ["parent_header.msg_id"], isAnsweredInParts: true,
    subjects: [], payloads: ["content"], reasons: ["content.evalue"],
    // What the user has typed may be a password; only input_request says whether it is.
    secrets: ["content.value"],
    page: [
      .layout([
        #"→ {"header":{"msg_id":"a1","msg_type":"execute_request"},"content":{"code":"6*7"},…}"#,
        #"← {"header":{"msg_type":"status"},"parent_header":{"msg_id":"a1"},"content":{…},…}"#,
        #"← {"header":{"msg_type":"execute_reply"},"parent_header":{"msg_id":"a1"},…}"#,
      ]),
      .beware(
        """
        With the subprotocol v1.kernel.websocket.jupyter.org the same stands in messages of \
        bytes: the number of offsets and the offsets of 8 bytes each, then the channel, the \
        header, the parent header, the metadata, the content and the buffers. Without it, a \
        message with buffers is the number of offsets and the offsets of 4 bytes each, the other \
        way round, then all of the JSON and the buffers.
        """),
    ])

  private static let marks = JSONKind.Distinction.byMembers(["header.msg_id", "parent_header"])

  private static func ask(_ name: Symbol, _ meaning: String, _ content: String = "{}") -> JSONKind {
    JSONKind(name, .asks, distinct: marks, meaning, example(name, content, parent: false))
  }

  private static func reply(
    _ name: Symbol, _ meaning: String, fails: JSONKind.Failure = .ifPresent(["content.status"]),
    status: String = "ok"
  ) -> JSONKind {
    JSONKind(
      name, .answers, distinct: marks, fails: fails, meaning,
      example(name, #"{"status":"\#(status)"}"#, parent: true))
  }

  private static func output(
    _ name: Symbol, _ meaning: String, _ content: String = "{}", subject: JSONPath? = nil
  ) -> JSONKind {
    JSONKind(
      name, .continues, distinct: marks, subject: subject, meaning,
      example(name, content, parent: true))
  }

  private static func comm(_ name: Symbol, _ meaning: String) -> JSONKind {
    JSONKind(
      name, .continues, distinct: marks, subject: "content.target_name", meaning,
      example(name, #"{"comm_id":"c1","data":{}}"#, parent: true))
  }

  private static func example(_ name: Symbol, _ content: String, parent: Bool) -> String {
    let parent = parent ? #"{"msg_id":"a1"}"# : "{}"
    return #"{"header":{"msg_id":"a2","msg_type":"\#(name)"},"parent_header":\#(parent),"#
      + #""content":\#(content)}"#
  }
}
