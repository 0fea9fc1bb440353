// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Takes all messages that a filter passes on.
struct Selection: SilentRenderer {}
