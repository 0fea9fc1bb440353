// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A system library that is loaded on demand: a run that does not need it neither loads it nor
/// requires it to be installed.
public struct SharedLibrary: Sendable {
  /// Its common name.
  public let name: String
  /// The file names on Linux for its versions, the preferred one first.
  let linux: [String]
  /// The files on macOS, or paths below Homebrew's folder.
  let mac: [String]
  /// The package name on Debian and Ubuntu.
  let debian: String
  /// The package name on other systems, and Homebrew's formula.
  let others: String

  public static let libpcap = SharedLibrary(
    name: "libpcap", linux: ["libpcap.so.0.8", "libpcap.so.1", "libpcap.so"],
    mac: ["/usr/lib/libpcap.A.dylib", "libpcap.dylib"], debian: "libpcap0.8", others: "libpcap")
  /// The library of OpenSSL 3.
  public static let libcrypto = SharedLibrary(
    name: "libcrypto", linux: ["libcrypto.so.3"], mac: ["opt/openssl@3/lib/libcrypto.3.dylib"],
    debian: "libssl3", others: "openssl")
  public static let libnghttp2 = SharedLibrary(
    name: "libnghttp2", linux: ["libnghttp2.so.14"], mac: ["lib/libnghttp2.14.dylib"],
    debian: "libnghttp2-14", others: "libnghttp2")
  public static let libyaml = SharedLibrary(
    name: "libyaml", linux: ["libyaml-0.so.2"], mac: ["lib/libyaml-0.2.dylib"],
    debian: "libyaml-0-2", others: "libyaml")

  /// What to do when it cannot be loaded.
  public var remedy: String {
    #if canImport(Darwin)
      mac.first == "/usr/lib/libpcap.A.dylib"
        ? "it is a part of macOS" : "install it: brew install \(others)"
    #else
      "install it: sudo apt install \(debian), or \(others) of this system's packages"
    #endif
  }

  /// A message that it cannot be loaded, with the remedy.
  public var isMissing: String { "\(name) cannot be loaded; \(remedy)" }

  /// Loads the first available version that has all functions.
  ///
  /// - Parameter find: fills the table of functions; returns whether all were found.
  public func load<Functions>(
    _ functions: Functions, find: (inout Functions, UnsafeMutableRawPointer) -> Bool
  ) -> Functions? {
    for name in names {
      guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      var found = functions
      if find(&found, handle) { return found }
      dlclose(handle)
    }
    return nil
  }

  private var names: [String] {
    #if canImport(Darwin)
      // Homebrew's folder on Apple silicon and on Intel.
      mac.flatMap { $0.hasPrefix("/") ? [$0] : ["/opt/homebrew/\($0)", "/usr/local/\($0)", $0] }
    #else
      linux
    #endif
  }
}
