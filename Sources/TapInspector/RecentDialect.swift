// SPDX-License-Identifier: Apache-2.0
import TapDialects

/// Caches the last answer about a dialect: nearly all messages of a run have the same one.
struct RecentDialect {
  private var name: UInt = 0
  private var answer = false

  /// Whether some of its subjects mark messages with credentials; false for an unknown dialect.
  mutating func hasSensitiveSubjects(_ dialect: StaticString) -> Bool {
    let asked = UInt(bitPattern: dialect.utf8Start)
    if asked != name {
      (name, answer) = (asked, Dialects.named(dialect)?.hasSensitiveSubjects ?? false)
    }
    return answer
  }
}
