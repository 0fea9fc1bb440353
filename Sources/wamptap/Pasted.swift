// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEvidence
import TapInputs
import TapLogs
import TapSources
import TapTraffic

/// Recognises arguments that are evidence themselves, and name no file.
enum Pasted {
  /// Bytes separated by blanks that the shell took apart: one argument again, if there is no file
  /// of such a name and they are bytes together.
  static func joined(_ arguments: [String]) -> [String] {
    guard arguments.count > 1, !arguments.contains("-"),
      arguments.allSatisfy({ $0.utf8.count <= 64 && !Terminal.exists($0) })
    else { return arguments }
    // If one of them is evidence by itself, they are not joined.
    if arguments.contains(where: { isList($0) || isBytes($0) || isLine($0) }) { return arguments }
    let all = arguments.joined(separator: " ")
    return isBytes(all) ? [all] : arguments
  }

  /// Whether an argument is evidence itself: it begins as a list or an object does, or stands for
  /// bytes.
  static func isPasted(_ argument: String) -> Bool {
    if argument == "-" || Terminal.exists(argument) { return false }
    return isList(argument) || isBytes(argument) || isLine(argument) || isFrames(argument)
  }

  private static let leads = LogLeads(DialectTextRecogniser(limits: Limits()))

  /// Whether an argument is a line of a log that may have a message in it.
  static func isLine(_ argument: String) -> Bool {
    let bytes = FileName.octets(argument)
    return LogInput.mayHold(bytes.span.bytes, leads)
  }

  static func isBytes(_ argument: String) -> Bool {
    guard let input = input(argument) else { return false }
    return !(input is PasteInput || isFrames(input) || input is LogInput)
  }

  /// Whether an argument is text of frames or packets: `42["chat"]`, a STOMP frame.
  private static func isFrames(_ argument: String) -> Bool {
    input(argument).map { isFrames($0) } ?? false
  }

  private static func input(_ argument: String) -> (any Input)? {
    let bytes = FileName.octets(argument)
    let outcome = Inputs.recognise(bytes.span.bytes, isAll: true, input: 0, limits: Limits())
    guard case .input(let input) = outcome else { return nil }
    return input
  }

  private static func isFrames(_ input: any Input) -> Bool {
    input is PastedFramesInput || input is PacketTextInput
  }

  /// Whether an argument that is pasted is read as text of messages.
  static func isText(_ argument: String) -> Bool { !isBytes(argument) }

  private static func isList(_ argument: String) -> Bool {
    let first = argument.utf8.first { $0 != .space && $0 != .lineFeed && $0 != .tab }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
  }
}
