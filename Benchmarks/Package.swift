// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "bench", targets: ["bench"]),
    .executable(name: "floors", targets: ["floors"]),
    .executable(name: "live", targets: ["live"]),
    .library(name: "preload", type: .dynamic, targets: ["CPreload"]),
  ],
  dependencies: [.package(name: "wamptap", path: "..")],
  targets: [
    .target(name: "CDeflate", linkerSettings: [.linkedLibrary("z")]),
    // replaces malloc and its kin in the executable that links it
    .target(name: "CAllocations"),
    // the same for programs that exist: loaded before them
    .target(name: "CPreload"),
    .target(name: "Corpus", dependencies: ["CDeflate"], swiftSettings: strict),
    .executableTarget(name: "bench", dependencies: ["Corpus"], swiftSettings: strict),
    .executableTarget(name: "live", swiftSettings: strict),
    .executableTarget(
      name: "floors",
      dependencies: ["CAllocations", "Corpus", .product(name: "TapKit", package: "wamptap")],
      swiftSettings: strict),
  ]
)
