// SPDX-License-Identifier: Apache-2.0

/// A renderer that must hear everything, but shows only what a display filter selects.
public protocol SelectingRenderer: Renderer {
  /// Hears the same calls and says for each message whether it matches; nil where everything does.
  var selection: (any Renderer)? { get set }
}
