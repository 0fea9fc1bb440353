// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What is left out of a line that would be too long.
enum LineOmission {
  case nothing
  /// Ids of something that is shown itself.
  case standIns
  case ids

  func drops(_ link: Link, hasSubject: Bool) -> Bool {
    switch (self, link.role) {
    case (.nothing, _): false
    case (.ids, _), (.standIns, .shares): true
    case (.standIns, .refers), (.standIns, .names): hasSubject
    case (.standIns, _): false
    }
  }
}
