// swift-tools-version: 6.2
import PackageDescription

/// What every target is built with.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What a function lends that was lent to it.
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// One library target; what it may import is what stands in `imports`, and nothing else.
func layer(
  _ name: String, imports: [Target.Dependency], settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict + settings)
}

func tests(_ name: String, imports: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: ["TapTesting"] + imports, swiftSettings: strict)
}

/// Homebrew's headers are found by pkg-config. On Linux they are where compilers look, and what
/// pkg-config adds would link what is to be loaded only when it is needed.
func onMac(_ name: String) -> String? {
  #if os(macOS)
    name
  #else
    nil
  #endif
}

let vocabulary: [Target.Dependency] = ["TapBytes", "TapTraffic"]

/// What `TapKit` is made of.
let layers = [
  "TapBytes", "TapTraffic", "TapInflate", "TapTransport", "TapLibraries", "TapTLS", "TapHTTP",
  "TapWebSocket", "TapRawSocket", "TapFraming", "TapEncodings", "TapDialects", "TapNames",
  "TapFilter", "TapCheck", "TapSessions", "TapInspector", "TapEvidence", "TapCaptures",
  "TapDumps", "TapExports", "TapLogs", "TapInputs", "TapRender",
]

let package = Package(
  name: "wamptap",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "wamptap", targets: ["wamptap"]),
    .library(name: "TapKit", targets: layers),
    // Each alone: a program that links little is fuzzed faster.
    // The last makes traffic, for tests and fuzzers.
  ] + (layers + ["TapTesting"]).map { .library(name: $0, targets: [$0]) },
  traits: [
    .default(enabledTraits: ["LiveCapture"]),
    .trait(
      name: "LiveCapture",
      description: "Capture from interfaces by libpcap; its headers are needed to build this."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CPcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    // loaded when they are first needed: only their headers are built with
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: onMac("libcrypto"),
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CNghttp2", pkgConfig: onMac("libnghttp2"),
      providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
    .systemLibrary(
      name: "CLibyaml", pkgConfig: onMac("yaml-0.1"),
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CCapabilities"),

    // ring 0: the vocabulary
    .systemLibrary(name: "CLanes"),
    layer(
      "TapBytes", imports: ["CLanes"],
      settings: lifetimes + [.strictMemorySafety()]),
    layer("TapTraffic", imports: ["TapBytes"], settings: lifetimes),

    // ring 1: layers, blind to each other
    layer("TapInflate", imports: ["TapBytes", "CZlib"]),
    layer("TapTransport", imports: vocabulary),
    layer("TapLibraries", imports: ["CLibcrypto", "CNghttp2", "CLibyaml"]),
    layer("TapTLS", imports: vocabulary + ["TapLibraries"]),
    layer(
      "TapHTTP", imports: vocabulary + ["TapInflate", "TapLibraries"], settings: lifetimes),
    layer("TapWebSocket", imports: vocabulary + ["TapInflate"]),
    layer("TapRawSocket", imports: vocabulary + ["TapFraming"]),
    layer("TapFraming", imports: vocabulary + ["TapEncodings"]),
    layer("TapEncodings", imports: ["TapBytes"]),
    layer(
      "TapDialects", imports: vocabulary + ["TapEncodings", "TapLibraries", "TapSessions"]),
    layer("TapNames", imports: vocabulary + ["TapEncodings"]),
    layer(
      "TapFilter",
      imports: vocabulary + [
        "TapEncodings", "TapNames",
        .product(name: "DequeModule", package: "swift-collections"),
      ], settings: lifetimes),
    layer(
      "TapCheck", imports: vocabulary + ["TapFilter"],
      settings: lifetimes),
    layer("TapSessions", imports: vocabulary),
    layer("TapEvidence", imports: vocabulary),
    layer("TapCaptures", imports: vocabulary + ["TapEvidence", "TapInflate"]),
    layer(
      "TapDumps", imports: vocabulary + ["TapEvidence", "TapCaptures", "TapEncodings"],
      settings: lifetimes),
    layer(
      "TapExports", imports: vocabulary + ["TapEvidence"], settings: lifetimes),
    layer(
      "TapLogs", imports: vocabulary + ["TapEvidence", "TapEncodings"],
      settings: lifetimes),
    layer(
      "TapInputs",
      imports: vocabulary + ["TapEvidence", "TapCaptures", "TapDumps", "TapExports", "TapLogs"]),

    // ring 2: the one place where layers meet
    layer(
      "TapInspector",
      imports: vocabulary + [
        "TapTransport", "TapTLS", "TapHTTP", "TapWebSocket", "TapRawSocket", "TapFraming",
        "TapEncodings", "TapDialects", "TapNames", "TapSessions",
        .product(name: "HeapModule", package: "swift-collections"),
      ]),

    // rim
    layer(
      "TapRender",
      imports: vocabulary + [
        "TapEncodings", .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    layer(
      "TapSources",
      imports: [
        "TapBytes", "TapLibraries",
        .target(name: "CPcap", condition: .when(traits: ["LiveCapture"])),
      ]),
    .executableTarget(
      name: "wamptap",
      dependencies: vocabulary + [
        "CCapabilities", "TapCaptures", "TapCheck", "TapDialects", "TapEvidence", "TapExports",
        "TapFilter",
        "TapInputs", "TapInspector", "TapLibraries", "TapLogs", "TapNames", "TapRender",
        "TapSources",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // tests
    .target(
      name: "TapTesting",
      dependencies: vocabulary + ["CLibcrypto", "TapLibraries"], path: "Tests/TapTesting",
      swiftSettings: strict),
    tests("TapBytesTests", imports: vocabulary),
    tests("TapTrafficTests", imports: vocabulary),
    tests("TapTransportTests", imports: vocabulary + ["TapTransport"]),
    tests("TapInflateTests", imports: vocabulary + ["TapInflate"]),
    tests(
      "TapInputsTests",
      imports: vocabulary + [
        "TapEvidence", "TapCaptures", "TapDumps", "TapExports", "TapLogs", "TapInputs",
        "TapInflate",
      ]),
    tests("TapSourcesTests", imports: vocabulary + ["TapEvidence", "TapInputs", "TapSources"]),
    tests("TapEncodingsTests", imports: vocabulary + ["TapEncodings"]),
    tests("TapLibrariesTests", imports: ["TapBytes", "TapLibraries"]),
    tests("TapTLSTests", imports: vocabulary + ["TapLibraries", "TapTLS"]),
    tests("TapHTTPTests", imports: vocabulary + ["TapHTTP", "TapLibraries"]),
    tests("TapWebSocketTests", imports: vocabulary + ["TapWebSocket", "TapInflate"]),
    tests("TapFramingTests", imports: vocabulary + ["TapFraming"]),
    tests("TapRawSocketTests", imports: vocabulary + ["TapRawSocket"]),
    tests("TapDialectsTests", imports: vocabulary + ["TapDialects", "TapEncodings"]),
    tests("TapNamesTests", imports: vocabulary + ["TapNames"]),
    tests("TapFilterTests", imports: vocabulary + ["TapEncodings", "TapFilter"]),
    tests("TapCheckTests", imports: vocabulary + ["TapCheck", "TapFilter"]),
    tests("TapSessionsTests", imports: vocabulary + ["TapSessions"]),
    tests("TapRenderTests", imports: vocabulary + ["TapRender"]),
    tests(
      "TapInspectorTests",
      imports: vocabulary + [
        "TapInspector", "TapNames", "TapRender", "TapEvidence", "TapInputs", "TapLogs",
        "TapCaptures",
      ]),
    // every capture against what its endpoints wrote down
    tests(
      "ConformanceTests",
      imports: vocabulary + [
        "TapCheck", "TapDialects", "TapFilter", "TapInspector", "TapRender", "TapEvidence",
        "TapCaptures", "TapDumps", "TapInputs",
        "TapLibraries",
      ]),
    // transcripts of samples/, and rules of the project itself
    tests("SampleTests", imports: vocabulary + ["TapInspector", "TapInputs", "wamptap"]),
    tests(
      "HouseTests",
      imports: vocabulary + [
        "TapInspector", "TapInputs", "wamptap",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ]
)
