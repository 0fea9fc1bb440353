// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Finding.Code {
  /// A logger printed a message without some of its parts; an NDJSON says so again.
  public static let logAbridged: Finding.Code = "log.abridged"
}
