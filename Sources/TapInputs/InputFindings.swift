// SPDX-License-Identifier: Apache-2.0
internal import TapCaptures
internal import TapDumps
internal import TapExports
internal import TapLogs
public import TapTraffic

/// Explanations of findings about the input itself.
public enum InputFindings {
  public static let all: [Explanation] =
    CaptureFindings.all + LogFindings.all + DumpFindings.all + ExportFindings.all
}
