// SPDX-License-Identifier: Apache-2.0
import CCapabilities

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The rights of the superuser, and the capabilities that a file gives to those who run it: needed
/// to open an interface, and for nothing after that.
enum Privileges {
  struct Failure: Error {
    var text: String
  }

  static var isRoot: Bool { geteuid() == 0 }

  /// Whether the rights are those of the user who started the program, not of the owner of its file
  /// (set-user-id).
  static var areOwn: Bool { getuid() == geteuid() }

  /// Becomes somebody else for good: the user that is named, else the caller of sudo, or the user
  /// who started a set-user-id program. Without any of them, and for `root`, nothing changes.
  static func drop(to name: String?) throws(Failure) {
    guard isRoot else {
      if let name { throw Failure(text: "-Z \(name): only root can become another user") }
      return
    }
    guard let entry = try user(name), entry.pointee.pw_uid != 0 else { return }
    let user = entry.pointee
    guard initgroups(user.pw_name, group(user.pw_gid)) == 0, setgid(user.pw_gid) == 0,
      setuid(user.pw_uid) == 0
    else {
      let reason = String(cString: strerror(errno))
      throw Failure(text: "root could not become user \(String(cString: user.pw_name)): \(reason)")
    }
    // Privileges that can be taken back were not given up.
    if setuid(0) == 0 || geteuid() != user.pw_uid || getuid() != user.pw_uid {
      throw Failure(text: "the rights of root are still there after they were given up")
    }
  }

  /// Gives up all capabilities for good, unless it is root that goes on. To be called before any
  /// thread is started, as each thread has its own.
  static func dropCapabilities() throws(Failure) {
    if isRoot { return }
    // If it is unknown whether there are any, the system has no capabilities.
    if capabilities_drop() != 0 && capabilities_any() > 0 {
      let reason = String(cString: strerror(errno))
      throw Failure(text: "the capabilities of the program could not be given up: \(reason)")
    }
  }

  private static func user(
    _ name: String?
  ) throws(Failure) -> UnsafeMutablePointer<passwd>? {
    if let name {
      if let entry = getpwnam(name) { return entry }
      throw Failure(text: "-Z \(name): there is no such user; '-Z root' stays root")
    }
    if getuid() != 0 { return try user(getuid()) }
    guard let caller = Terminal.environment("SUDO_UID") else { return nil }
    guard let number = uid_t(caller) else {
      throw Failure(text: "SUDO_UID names no user; '-Z root' stays root")
    }
    return number == 0 ? nil : try user(number)
  }

  private static func user(_ number: uid_t) throws(Failure) -> UnsafeMutablePointer<passwd> {
    if let entry = getpwuid(number) { return entry }
    throw Failure(text: "there is no user \(number) to go on as; '-Z root' stays root")
  }

  #if canImport(Darwin)
    private static func group(_ number: gid_t) -> Int32 { Int32(bitPattern: number) }
  #else
    private static func group(_ number: gid_t) -> gid_t { number }
  #endif
}
