// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let tapKit: Target.Dependency = .product(name: "TapKit", package: "wamptap")

/// One file with a `@_cdecl` instead of a main: it must not be taken for a script.
func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["Fuzzing", tapKit],
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "wamptap", path: "..")],
  targets: [
    .systemLibrary(name: "CFuzzer"),
    .target(name: "Fuzzing", dependencies: ["CFuzzer", tapKit], swiftSettings: strict),
    .executableTarget(name: "Seeds", dependencies: ["Fuzzing", tapKit], swiftSettings: strict),
    fuzzer("PcapFuzz"),
    fuzzer("PcapngFuzz"),
    fuzzer("GzipFuzz"),
    fuzzer("PasteFuzz"),
    fuzzer("LogFuzz"),
    fuzzer("DumpFuzz"),
    fuzzer("ExportFuzz"),
    fuzzer("NotationFuzz"),
    fuzzer("TransportFuzz"),
    fuzzer("HTTPFuzz"),
    fuzzer("WebSocketFuzz"),
    fuzzer("JSONFuzz"),
    fuzzer("WAMPFuzz"),
    fuzzer("WAMPv1Fuzz"),
    fuzzer("RawSocketFuzz"),
    fuzzer("TranscoderFuzz"),
    fuzzer("StackFuzz"),
  ]
)
