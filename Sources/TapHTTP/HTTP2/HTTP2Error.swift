// SPDX-License-Identifier: Apache-2.0

/// The codes of RST_STREAM and GOAWAY (RFC 9113 §7), in the words of the specification.
enum HTTP2Error {
  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]

  static func name(_ code: UInt32) -> String {
    code < names.count ? names[Int(code)] : "error 0x\(String(code, radix: 16))"
  }
}
