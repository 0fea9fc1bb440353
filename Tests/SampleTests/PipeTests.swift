// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Logs that are shown while they are written.
@Suite("Pipes", .serialized) struct PipeTests {
  private let lines = [
    "2026-11-19 10:00:01.000 DEBUG TX: [1,\"realm1\",{\"roles\":{\"caller\":{}}}]\n",
    "2026-11-19 10:00:01.100 DEBUG RX: [2,1,{\"roles\":{\"dealer\":{}}}]\n",
    "2026-11-19 10:00:02.400 DEBUG TX: [48,1,{},\"com.app\",[1]]\n",
    "2026-11-19 10:00:02.500 DEBUG RX: [50,1,{},[1]]\n",
  ]

  /// Nobody waits for ever for what does not come.
  private func guarded(_ process: Process) -> Process {
    DispatchQueue.global().asyncAfter(deadline: .now() + 300) {
      if process.isRunning { process.terminate() }
    }
    return process
  }

  private func read(_ pipe: Pipe, into text: inout String, until word: String) {
    while !text.contains(word) {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// How many bytes were written into a pipe that nobody has read.
  private func unread(_ pipe: Pipe) -> Int32 {
    var count: Int32 = 0
    let isKnown = ioctl(pipe.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &count) == 0
    return isKnown ? count : 0
  }

  @Test("each line is shown before the next one is sent", .timeLimit(.minutes(10)))
  func pipe() throws {
    let (evidence, output) = (Pipe(), Pipe())
    let process = guarded(try Program.start(["--color", "never"], evidence, output))
    var text = ""
    for (line, word) in zip(lines, ["HELLO", "WELCOME", "CALL", "RESULT"]) {
      evidence.fileHandleForWriting.write(Data(line.utf8))
      read(output, into: &text, until: word)
      #expect(text.contains(word))
    }
    try evidence.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  /// `tcpdump -w - | wamptap -Y 'exchange(…)'`: what comes is read twice, when it has ended or is
  /// interrupted.
  @Test(
    "a filter that asks what comes later reads a pipe to its end", .timeLimit(.minutes(10)),
    arguments: [false, true])
  func keptUntilEnd(isInterrupted: Bool) throws {
    let (evidence, output) = (Pipe(), Pipe())
    let process = guarded(
      try Program.start(
        ["--color", "never", "-Y", "exchange(RESULT)", "-"], evidence, output))
    evidence.fileHandleForWriting.write(Data(lines.joined().utf8))
    if isInterrupted {
      // The copy has to have begun; before that, the signal ends the program.
      while process.isRunning && unread(evidence) > 0 { usleep(1000) }
      process.interrupt()
    } else {
      try evidence.fileHandleForWriting.close()
    }
    var text = ""
    read(output, into: &text, until: "connection,")
    process.waitUntilExit()
    #expect(text.contains("CALL") && text.contains("RESULT") && !text.contains("HELLO"))
    #expect(text.contains("interrupted") == isInterrupted)
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  @Test("a file that is followed, and one that got shorter", .timeLimit(.minutes(10)))
  func followed() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines[0].utf8).write(to: file)
    let (output, complaints) = (Pipe(), Pipe())
    let process = guarded(
      try Program.start(["-F", file.path], Pipe(), output, complaints: complaints))
    var (text, said) = ("", "")
    read(output, into: &text, until: "HELLO")
    #expect(text.contains("HELLO"))
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    read(complaints, into: &said, until: "got shorter")
    #expect(said.contains("got shorter, and is read from its beginning"))
    handle.write(Data(lines[1].utf8))
    read(output, into: &text, until: "WELCOME")
    #expect(text.contains("WELCOME"))
    process.interrupt()
    process.waitUntilExit()
  }

  @Test("what nobody understands is not lost in silence", .timeLimit(.minutes(10)))
  func lost() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap")
    let log = file.deletingPathExtension().appendingPathExtension("log")
    defer { for one in [file, log] { try? FileManager.default.removeItem(at: one) } }
    // The beginning of a capture, as far as it was written.
    try Data([0xD4, 0xC3, 0xB2]).write(to: file)
    try Data(lines[0].utf8).write(to: log)
    let (output, complaints) = (Pipe(), Pipe())
    let process = guarded(
      try Program.start(["-F", file.path, log.path], Pipe(), output, complaints: complaints))
    var (text, said) = ("", "")
    // What is named first is read first.
    read(output, into: &text, until: "HELLO")
    try FileHandle(forWritingTo: file).truncate(atOffset: 0)
    read(complaints, into: &said, until: "are lost")
    #expect(said.contains("3 bytes were not understood until then and are lost"))
    process.interrupt()
    process.waitUntilExit()
  }
}
