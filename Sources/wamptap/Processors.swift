// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What this machine has to run threads on.
enum Processors {
  static var count: Int { max(sysconf(Int32(truncatingIfNeeded: _SC_NPROCESSORS_ONLN)), 1) }
}
