// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapSources

/// What a run is to read, to capture and to keep.
struct Request {
  /// Evidence, or the interfaces that are captured.
  var names: [String]
  /// How many of the names, from the first, were given as files, so that they are no pasted text.
  var files: Int
  /// What options say about the evidence.
  var choice = InputChoice()
  /// The dialect of all conversations, by name; nil where it is to be recognised.
  var dialect: String?
  /// Processors that may be used.
  var jobs = Processors.count
  /// Empty when evidence is read.
  var interfaces: [String] = []
  var settings = CaptureSettings()
  /// In the language of pcap-filter(7); empty for everything.
  var filter = ""
  /// The file that keeps the packets; nil for none.
  var path: String?
  var rotation = CaptureFile.Rotation()
  /// Who to be once the interfaces are open.
  var user: String?

  var isLive: Bool { !interfaces.isEmpty }

  /// A message or bytes as an argument: no file of that name.
  func isPasted(_ number: Int) -> Bool { meaning(number) == .pastedText }

  func meaning(_ number: Int) -> InputFile.Meaning {
    if number < files { return .file }
    return Pasted.isPasted(names[number]) ? .pastedText : .fileOrText
  }
}
