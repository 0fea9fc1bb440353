// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What stands on a line whose mark says in what form.
enum FoundLine {
  /// Nothing in that form: the line may hold something else.
  case other
  /// Nothing that was sent.
  case nothing
  /// Nothing that was sent: the line shows which side writes.
  case aside
  case message(FoundMessage)
  /// A message that others belong to, which the program does not print.
  case incomplete(FoundMessage)
  /// A message that the line mentions and does not show.
  case unread(at: Int)
  /// A frame of WebSocket, which may be of a stream, or a part of a message.
  case frame(LoggedFrame)
  /// A message of bytes, of which the program has not printed the end.
  case cut(LoggedFrame)
  /// Bytes of a stream, where they stand, and how many follow that the program has not printed.
  case stream(Scratch, at: Int, missing: Int)
  /// Bytes of a stream as text, in which a dot stands for each that does not print.
  case dots
  /// The subprotocols of a handshake stand behind the mark.
  case subprotocols
  /// A handshake begins.
  case request
  /// A connection has ended.
  case ended
  /// The program says behind the mark that it lost something.
  case loss
}
