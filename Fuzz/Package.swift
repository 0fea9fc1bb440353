// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Layers of wamptap. libFuzzer walks over the counters of all that is linked, at each execution: a
/// target names no more than it needs.
func taps(_ layers: [String]) -> [Target.Dependency] {
  layers.map { .product(name: "Tap" + $0, package: "wamptap") }
}

/// What several fuzzers share.
func common(_ name: String, imports: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict)
}

/// One file with a `@_cdecl` instead of a main: it must not be taken for a script.
func fuzzer(
  _ name: String, of layers: [String], imports: [Target.Dependency] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: ["Fuzzing"] + imports + taps(["Bytes", "Traffic"] + layers),
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

/// All kinds of input, and what they share.
let inputs = ["Evidence", "Captures", "Dumps", "Exports", "Logs", "Inputs"]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "wamptap", path: ".."),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .systemLibrary(name: "CFuzzer"),
    common("Fuzzing", imports: ["CFuzzer"] + taps(["Bytes", "Traffic"])),
    common("FuzzingInputs", imports: ["Fuzzing"] + taps(["Bytes", "Traffic"] + inputs)),
    common(
      "FuzzingDialects",
      imports: ["Fuzzing"]
        + taps(["Bytes", "Traffic", "Encodings", "Names", "Inspector", "Render"])),
    .executableTarget(
      name: "Seeds",
      dependencies: ["Fuzzing"]
        + taps([
          "Bytes", "Traffic", "Encodings", "Evidence", "HTTP", "Inputs", "Inspector", "Render",
          "Transport", "WebSocket",
        ]),
      swiftSettings: strict),
    fuzzer("PcapFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("PcapngFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("GzipFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("PasteFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("LogFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("DumpFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("NotationFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("ExportFuzz", of: inputs, imports: ["FuzzingInputs"]),
    fuzzer("TransportFuzz", of: inputs + ["Transport"]),
    fuzzer("HTTPFuzz", of: ["HTTP"]),
    fuzzer("HTTP2Fuzz", of: ["HTTP"]),
    fuzzer("WebSocketFuzz", of: ["WebSocket"]),
    fuzzer("InflateFuzz", of: ["Inflate"]),
    fuzzer("RawSocketFuzz", of: ["RawSocket"]),
    fuzzer("FramingFuzz", of: ["Framing"]),
    fuzzer("JSONFuzz", of: ["Encodings"]),
    fuzzer("TranscoderFuzz", of: ["Encodings"]),
    fuzzer("FlatBuffersFuzz", of: ["Encodings", "Dialects"], imports: ["FuzzingDialects"]),
    fuzzer("WAMPFuzz", of: ["Dialects"], imports: ["FuzzingDialects"]),
    fuzzer("WAMPv1Fuzz", of: ["Dialects"], imports: ["FuzzingDialects"]),
    fuzzer("JSONDialectsFuzz", of: ["Dialects"], imports: ["FuzzingDialects"]),
    fuzzer("STOMPFuzz", of: ["Dialects"]),
    fuzzer("SockJSFuzz", of: ["Dialects", "HTTP"]),
    fuzzer("MQTTFuzz", of: ["Dialects"]),
    fuzzer("SocketIOFuzz", of: ["Dialects"], imports: ["FuzzingDialects"]),
    fuzzer("NamesFuzz", of: ["Dialects", "Names"], imports: ["FuzzingDialects"]),
    fuzzer("StackFuzz", of: inputs + ["Inspector", "Render"], imports: ["FuzzingDialects"]),
    fuzzer("MaskingFuzz", of: inputs + ["Inspector", "Render", "Testing"]),
    fuzzer(
      "TLSFuzz", of: ["TLS"],
      imports: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ]),
  ]
)
