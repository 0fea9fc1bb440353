// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Finding.Code {
  public static let logAbridged: Finding.Code = "log.abridged"
}
