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
func fuzzer(_ name: String, imports: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name, dependencies: ["Fuzzing", tapKit] + imports,
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "wamptap", path: ".."),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
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
    fuzzer("NotationFuzz"),
    fuzzer("ExportFuzz"),
    fuzzer("TransportFuzz"),
    fuzzer("HTTPFuzz"),
    fuzzer("HTTP2Fuzz"),
    fuzzer("WebSocketFuzz"),
    fuzzer("InflateFuzz"),
    fuzzer("RawSocketFuzz"),
    fuzzer("JSONFuzz"),
    fuzzer("TranscoderFuzz"),
    fuzzer("FlatBuffersFuzz"),
    fuzzer("WAMPFuzz"),
    fuzzer("WAMPv1Fuzz"),
    fuzzer("NamesFuzz"),
    fuzzer("StackFuzz"),
    fuzzer(
      "TLSFuzz",
      imports: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ]),
  ]
)
