// SPDX-License-Identifier: Apache-2.0
import TapDialects

/// Remembers what was asked last about a dialect: nearly all messages of a run are of one.
struct RecentDialect {
  private var name: UInt = 0
  private var answer = false

  /// Whether some of its subjects betray credentials; false for what is no dialect.
  mutating func hasSensitiveSubjects(_ dialect: StaticString) -> Bool {
    let asked = UInt(bitPattern: dialect.utf8Start)
    if asked != name {
      (name, answer) = (asked, Dialects.named(dialect)?.hasSensitiveSubjects ?? false)
    }
    return answer
  }
}
