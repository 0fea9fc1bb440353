// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What an id stands for, found out by one reading of a capture for another one of the same.
public struct ForeseenName: Sendable {
  let key: WideKey
  let subject: [UInt8]
  let isPattern: Bool
  let isInferred: Bool
}
