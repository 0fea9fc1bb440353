// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `30s`, `5m`, `2h`, `1.5d`, `500ms`; seconds without a unit.
struct TimeSpan: ExpressibleByArgument {
  var seconds: Double

  init?(argument: String) {
    let number = argument.prefix { $0.isNumber || $0 == "." }
    let units = ["": 1, "s": 1, "ms": 0.001, "m": 60, "h": 3600, "d": 86_400.0]
    guard let unit = units[String(argument.dropFirst(number.count))],
      let value = Double(number), value > 0, value * unit >= 0.001, value * unit < 1e9
    else { return nil }
    seconds = value * unit
  }
}
