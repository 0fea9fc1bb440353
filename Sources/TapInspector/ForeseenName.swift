// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What an id stands for, found in one reading of a capture for another reading of it.
public struct ForeseenName: Sendable {
  let key: WideKey
  let subject: [UInt8]
  let isPattern: Bool
  let isInferred: Bool
}
