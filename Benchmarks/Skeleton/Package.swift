// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Skeleton",
  targets: [
    // ring 0
    .target(
      name: "TapBytes", swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "TapTraffic", dependencies: ["TapBytes"], swiftSettings: strict),
    // ring 1: layers; each knows ring 0 only
    .target(name: "TapWebSocket", dependencies: ["TapTraffic", "TapBytes"], swiftSettings: strict),
    .target(name: "TapTransport", dependencies: ["TapTraffic", "TapBytes"], swiftSettings: strict),
    .target(name: "TapDialects", dependencies: ["TapTraffic", "TapBytes"], swiftSettings: strict),
    // ring 2: the one place where layers meet
    .target(
      name: "TapInspector",
      dependencies: [
        "TapTransport", "TapWebSocket", "TapDialects", "TapTraffic", "TapBytes", "TapRender",
      ], swiftSettings: strict),
    // rim
    .target(name: "TapRender", dependencies: ["TapTraffic", "TapBytes"], swiftSettings: strict),
    .executableTarget(
      name: "tap",
      dependencies: ["TapInspector", "TapTransport", "TapTraffic", "TapBytes"],
      swiftSettings: strict),
  ]
)
