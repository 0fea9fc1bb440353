// SPDX-License-Identifier: Apache-2.0

/// A renderer that has to know of everything, and shows what a display filter selects.
public protocol SelectingRenderer: Renderer {
  /// Is told the same, and says of each message whether it matches; nil where everything does.
  var selection: (any Renderer)? { get set }
}
