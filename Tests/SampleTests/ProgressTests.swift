// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import wamptap

/// What is said of a long read while it goes on.
@Suite("Progress") struct ProgressTests {
  @Test(
    arguments: [
      // bytes, of, nanoseconds
      (412_000_000, 958_000_000, 1_000_000_000, "43 %  412 MB of 958 MB  412 MB/s  0:02 left"),
      (1, 1_000_000, 2_000_000_000, "0 %  1 B of 1.0 MB  1 B/s  555:33:18 left"),
      (999_499, 999_500, 1_000_000_000, "99 %  999 kB of 1.0 MB  999 kB/s  0:01 left"),
      (1_250_000_000, 1_250_000_000, 1_000_000_000, "100 %  1.3 GB of 1.3 GB  1.3 GB/s  0:00 left"),
      (9_960_000, 61_000_000_000, 1_000_000_000, "0 %  10 MB of 61 GB  10 MB/s  1:42:04 left"),
      (0, 1000, 1_000_000_000, "0 %  0 B of 1.0 kB  0 B/s"),
      // A pipe, and a file that has grown meanwhile.
      (2_000_000, nil, 4_000_000_000, "2.0 MB  500 kB/s"),
      (2_000_000, 1_000_000, 4_000_000_000, "2.0 MB  500 kB/s"),
      (0, 0, 0, "0 B  0 B/s"),
    ] as [(UInt64, UInt64?, UInt64, String)])
  func line(done: UInt64, total: UInt64?, nanoseconds: UInt64, expected: String) {
    #expect(Progress.line(done: done, total: total, nanoseconds: nanoseconds) == expected)
  }
}
