// SPDX-License-Identifier: Apache-2.0

/// Values right behind the letters of their options, as tcpdump takes them: `-c10`, and behind
/// letters without a value, `-vc10`. The argument parser would take `10` for two more options, and
/// `-rhello.pcap` for `-h`: it gets letter and value apart.
enum JoinedArguments {
  /// The letters of options with a value, and of those without one, of all subcommands.
  static let valued = "BCGOWYZcefiorstw"
  static let flags = "DFlpqvx"

  static func apart(_ arguments: [String]) -> [String] {
    var apart: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return apart + [argument] + rest }
      guard let (option, value) = option(argument) else {
        apart.append(argument)
        continue
      }
      apart.append(option)
      if !value.isEmpty {
        apart.append(value)
      } else if option.last == "r", let file = rest.popFirst() {
        // Whatever stands behind -r is a file, also `-c10`.
        apart.append(file)
      }
    }
    return apart
  }

  /// The letters up to that of an option with a value, and the value, empty if it does not stand
  /// there; nil for all other arguments, and for `-c=10`, which the argument parser reads.
  private static func option(_ argument: String) -> (option: String, value: String)? {
    guard argument.first == "-",
      let place = argument.dropFirst().firstIndex(where: { !flags.contains($0) }),
      valued.contains(argument[place])
    else { return nil }
    let value = argument[argument.index(after: place)...]
    return value.first == "=" ? nil : (String(argument[...place]), String(value))
  }
}
