// SPDX-License-Identifier: Apache-2.0

/// `1 byte`, `2 bytes`.
public func counted(_ amount: some BinaryInteger, _ noun: String) -> String {
  amount == 1 ? "1 \(noun)" : "\(amount) \(noun)s"
}
