// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]
let safe = strict + [.strictMemorySafety()]
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "phbatch",
  targets: [
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .target(name: "PixelKernels", dependencies: ["CVips"], cSettings: strictC),
    .target(name: "Vips", dependencies: ["CVips", "PixelKernels"], swiftSettings: strict),
    .testTarget(name: "PixelKernelsTests", dependencies: ["CVips", "Vips"], swiftSettings: strict),
  ]
)
