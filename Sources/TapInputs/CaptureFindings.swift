// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Finding.Code {
  /// Packets were dropped between the interface and the decoder, by the kernel, by the interface or
  /// by this program. Likely cause: more traffic than the machine can take, or an output that is
  /// slow. Told by whoever captures; the streams tell what they lack themselves.
  public static let captureDropped: Finding.Code = "capture.dropped"
}
