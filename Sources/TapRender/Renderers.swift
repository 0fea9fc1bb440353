// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The outputs there are, by the name that `-o` takes.
public enum Renderers {
  public struct Choice: Sendable {
    public var name: String
    public var make: @Sendable (_ line: LineRenderer.Options, _ inputs: [String]) -> any Renderer
    /// The same for statistics; nil where the format has none.
    public var summing: (@Sendable (_ options: StatsRenderer.Options) -> any Renderer)?
  }

  public static let all: [Choice] = [
    Choice(name: "text") { line, _ in
      let isPlain = !(line.showsTree || line.showsFrames || line.showsOctets)
      return isPlain ? BoxedRenderer(LineRenderer(line)) as any Renderer : TreeRenderer(line)
    } summing: {
      BoxedRenderer(StatsRenderer.tables($0))
    },
    Choice(name: "ndjson") { line, inputs in
      BoxedRenderer(
        NDJSONRenderer(
          inputs: inputs, showsFields: line.showsFields, source: line.source))
    } summing: {
      BoxedRenderer(StatsRenderer.ndjson($0))
    },
  ]

  /// A form of the ladder of sessions.
  public struct Ladder: Sendable {
    public var name: String
    public var make: @Sendable (_ line: LineRenderer.Options, LadderFilter, Limits) -> any Renderer
  }

  /// What `wamptap flow` draws, by the name that its `-o` takes.
  public static let ladders: [Ladder] = [
    Ladder(name: "text") { LadderRenderer.text($0, $1, $2) },
    Ladder(name: "mermaid") { LadderRenderer.mermaid($0, $1, $2) },
  ]

  /// A form of traces.
  public struct Trace: Sendable {
    public var name: String
    public var make:
      @Sendable (_ line: LineRenderer.Options, _ inputs: [String], _ most: Int) -> any Renderer
  }

  /// What `wamptap trace` writes, by the name that its `-o` takes.
  public static let traces: [Trace] = [
    Trace(name: "text") { line, _, most in TraceRenderer.text(line, most: most) },
    Trace(name: "ndjson") { TraceRenderer.ndjson($0, inputs: $1, most: $2) },
  ]
}
