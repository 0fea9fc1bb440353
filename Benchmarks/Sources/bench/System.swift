// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The cost of one run of a program.
struct Cost {
  /// User and system time, in microseconds.
  var microseconds: Double
  /// Elapsed time from start to end, in microseconds.
  var elapsed: Double
  var peakBytes: Int
}

/// The system calls that the benchmark needs.
enum System {
  enum Failure: Error {
    case absent
    case failed(status: Int32)

    var text: String {
      switch self {
      case .absent: "absent"
      case .failed(let status): "failed with status \(status)"
      }
    }
  }

  static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code)
    #elseif canImport(Glibc)
      Glibc.exit(code)
    #else
      Musl.exit(code)
    #endif
  }

  /// Creates a directory with its missing parents.
  static func makeDirectory(_ path: String) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part + "/"
      mkdir(made, 0o755)
    }
  }

  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The path of a program: as given, or found on the PATH.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    guard let path = getenv("PATH") else { return nil }
    return String(cString: path).split(separator: ":").map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  /// The number of a program's allocations, measured in a run of its own; nil when they cannot be
  /// counted here.
  static func allocations(_ command: [String], directory: String) -> Int? {
    let own = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
    let library = (own.dropLast() + ["libpreload.so"]).joined(separator: "/")
    guard access(library, R_OK) == 0 else { return nil }
    let path = directory + "/allocations"
    guard let file = fopen(path, "w+") else { return nil }
    defer {
      fclose(file)
      unlink(path)
    }
    let more = ["LD_PRELOAD=\(library)", "BENCH_ALLOCATIONS=9"]
    guard (try? run(command, environment: more, ninth: fileno(file))) != nil else { return nil }
    rewind(file)
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return Int(strtoll(line, nil, 10))
  }

  /// Runs a program to its end; its output is discarded.
  ///
  /// - Parameters:
  ///   - environment: variables to add to the environment, as `NAME=value`.
  ///   - ninth: a descriptor that becomes the program's descriptor 9.
  static func run(
    _ command: [String], environment: [String] = [], ninth: Int32? = nil
  ) throws(Failure) -> Cost {
    guard let program = find(command[0]) else { throw .absent }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    if let ninth { posix_spawn_file_actions_adddup2(&actions, ninth, 9) }
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var surroundings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) }
    defer { for entry in surroundings.prefix(environment.count) { free(entry) } }
    var own = environ
    while let entry = own.pointee {
      surroundings.append(entry)
      own += 1
    }
    surroundings.append(nil)
    var child: pid_t = 0
    let start = ContinuousClock.now
    guard posix_spawn(&child, program, &actions, nil, words, surroundings) == 0 else {
      throw .absent
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    let elapsed = start.duration(to: .now) / .microseconds(1)
    if status != 0 { throw .failed(status: status >> 8) }
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return Cost(
      microseconds: microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
      elapsed: elapsed, peakBytes: Int(usage.ru_maxrss) * unit)
  }

  private static func microseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e6 + Double(time.tv_usec)
  }
}
