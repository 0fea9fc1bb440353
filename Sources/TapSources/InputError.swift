// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Why an input cannot be read at all; the only error that is thrown about inputs.
public struct InputError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    case notFound
    case isDirectory
    case notPermitted
    /// - Parameter code: `errno` of open(2).
    case cannotOpen(code: Int32)
    /// - Parameters:
    ///   - offset: how many bytes were read before.
    ///   - code: `errno` of read(2).
    case cannotRead(offset: UInt64, code: Int32)
    /// A pipe that must be read twice could not be copied.
    /// - Parameter code: `errno` of the failed call.
    case cannotKeep(folder: String, code: Int32)
    /// It was read, but is of no known kind.
    case notUnderstood
    /// An empty argument, such as an unset shell variable.
    case noName
    /// An argument that is neither a file name nor a message.
    case neitherFileNorEvidence
    /// It has no bytes.
    case empty
  }

  /// As the user named it; `-` is standard input.
  public var path: String
  public var reason: Reason

  public init(path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// One line: the problem, the file, and what to do. The name is not escaped.
  public var description: String {
    let name = path == "-" ? "standard input" : path
    return switch reason {
    case .notFound: "\(name): no such file; check the path"
    case .isDirectory:
      "\(name): is a directory, and holds no WebSocket export of Charles, whose files are called"
        + " HOST_000001_client.bin; name a file in it"
    case .notPermitted: "\(name): permission denied; check its permissions"
    case .cannotOpen(let code): "\(name): cannot be opened: \(systemText(code))"
    case .cannotRead(let offset, let code):
      "\(name): cannot be read at byte \(offset): \(systemText(code))"
    case .cannotKeep(let folder, let code):
      "\(name): has to be read twice, and cannot be kept in \(folder) for that:"
        + " \(systemText(code)); name another folder by TMPDIR, or save it first"
    case .noName: "an empty argument names no file; is a variable of the shell not set?"
    case .notUnderstood:
      "\(name): is neither a capture (pcap, pcapng) nor text in UTF-8 or UTF-16 (a log, an export,"
        + " pasted messages, a dump), gzipped or not; decompress other archives first, and convert"
        + " other encodings: iconv -f ENCODING -t UTF-8"
    case .neitherFileNorEvidence:
      "\(name): there is no such file, and it is neither a pasted message"
        + " (which begins with '[' or '{') nor the bytes of a frame or a"
        + " message, in hex or base64"
    case .empty: "\(name): empty, so there is nothing to read"
    }
  }
}

/// The system's text for an `errno`.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
