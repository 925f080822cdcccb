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
// The optimizer takes two thirds of a build. The demo and the tests do without it in these targets,
// which leave the work on pixels to others; what is installed or measured is optimized as a whole.
let isQuick = Context.environment["PHBATCH_QUICK_BUILD"] != nil
let cold = safe + (isQuick ? [SwiftSetting.unsafeFlags(["-Onone"])] : [])
// Tests compile in half the time without optimization. TestReference and TestSupport compute whole
// images, and are optimized.
let testing = strict + [.unsafeFlags(["-Onone"])]
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]
// dlib detects faces. scripts/build sets the variable if libdlib-dev is installed; without it,
// phbatch says that it cannot detect faces.
let detectsFaces = Context.environment["PHBATCH_FACES"] != nil

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "phbatch",
  products: [
    .executable(name: "phbatch", targets: ["phbatch"]),
    .executable(name: "phbatch-video", targets: ["phbatch-video"]),
    .library(name: "Notation", targets: ["Notation"]),
    .library(name: "PhotoBatch", targets: ["PhotoBatch"]),
    .library(name: "PhotoImport", targets: ["PhotoImport"]),
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .library(name: "PhotoRecipes", targets: ["PhotoRecipes"]),
    .library(name: "PhotoRender", targets: ["PhotoRender"]),
    .library(name: "PhotoReports", targets: ["PhotoReports"]),
    .library(name: "Vips", targets: ["Vips"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
  ],
  targets: [
    // libvips is not linked; see Codecs/late. Its headers need those of GIO.
    .systemLibrary(name: "CVips", pkgConfig: "gio-2.0", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(
      name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    // libbrotli-dev, libheif-dev, libjxl-dev and zlib1g-dev come with libvips-dev. libaom, libheif and
    // libjxl are not linked either.
    // Only phbatch-video links it: Debian builds it under the GPL.
    .systemLibrary(
      name: "CAV", pkgConfig: "libavformat", providers: [.apt(["libavformat-dev"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(
      name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
    .systemLibrary(
      name: "COpenJPEG", pkgConfig: "libopenjp2", providers: [.apt(["libopenjp2-7-dev"])]),
    .systemLibrary(name: "CRaw", pkgConfig: "libraw_r", providers: [.apt(["libraw-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "PixelKernels", dependencies: ["CVips"],
      cSettings: strictC + [.headerSearchPath(".")]),
    .target(
      name: "Codecs",
      dependencies: [
        "CDeflate", "CJPEG", "COpenJPEG", "CRaw", "CVips", "CZlib", "PixelKernels", "SystemCalls",
      ],
      // Codecs share the base, the loops and the planes of PixelKernels.
      cSettings: strictC + [.headerSearchPath("."), .headerSearchPath("../PixelKernels")],
      linkerSettings: [.linkedLibrary("gmodule-2.0")]),
    .target(
      name: "FaceDetection",
      cxxSettings: detectsFaces ? [.define("PHBATCH_FACES")] : [],
      // The static library: the command needs no library of dlib to run.
      linkerSettings: detectsFaces ? [.linkedLibrary(":libdlib.a")] : []),
    .target(name: "SystemCalls", cSettings: strictC),
    // liblensfun-dev has the header; the library is not linked, because few recipes need it.
    .target(name: "Lensfun", cSettings: strictC),
    .target(
      name: "Films", dependencies: ["CAV", "SystemCalls"],
      cSettings: strictC + [.headerSearchPath(".")],
      linkerSettings: ["avformat", "avcodec", "avutil", "swresample"].map { .linkedLibrary($0) }),
    .target(name: "FileStructure", swiftSettings: safe),
    .target(name: "Hashing", dependencies: ["CCrypto"], swiftSettings: safe),
    .target(
      name: "Vips",
      dependencies: ["CFontconfig", "CVips", "Codecs", "PixelKernels", "SystemCalls"],
      swiftSettings: strict),
    .target(name: "Notation", dependencies: ["CZlib"], swiftSettings: safe),
    .target(
      name: "PhotoRecipes", dependencies: ["FileStructure", "Notation"], swiftSettings: safe),
    .target(
      name: "PhotoImport", dependencies: ["Notation", "PhotoRecipes"], swiftSettings: cold),
    .target(
      name: "PhotoMetadata",
      dependencies: ["CBrotli", "CZlib", "FileStructure", "Hashing", "Notation", "PhotoRecipes"],
      swiftSettings: cold),
    .target(
      name: "PhotoRender",
      dependencies: [
        "FaceDetection", "FileStructure", "Notation", "PhotoMetadata", "PhotoRecipes", "Vips",
      ],
      swiftSettings: cold),
    .target(
      name: "PhotoLibrary",
      dependencies: ["Hashing", "Notation", "PhotoImport", "PhotoRecipes", "SystemCalls", system],
      swiftSettings: cold),
    .target(
      name: "PhotoBatch",
      dependencies: [
        "FileStructure", "Lensfun", "Notation", "PhotoImport", "PhotoLibrary", "PhotoMetadata",
        "PhotoRecipes", "PhotoRender", "SystemCalls", "Vips", system,
      ],
      swiftSettings: cold),
    .target(
      name: "FilmCodecs", dependencies: ["Films", "PhotoRecipes", "PhotoRender"],
      swiftSettings: strict),
    .executableTarget(
      name: "phbatch-video", dependencies: ["FilmCodecs", "PhotoBatch", system], swiftSettings: cold
    ),
    .target(
      name: "PhotoReports",
      dependencies: ["Notation", "PhotoBatch", "PhotoLibrary", "PhotoRecipes", system],
      swiftSettings: cold),
    .target(name: "StudioPage", exclude: ["page"], cSettings: strictC),
    .target(
      name: "PhotoStudio",
      dependencies: [
        "Hashing", "Notation", "PhotoBatch", "PhotoLibrary", "PhotoRecipes", "PhotoRender",
        "StudioPage", "Vips", system,
      ],
      swiftSettings: cold),
    .executableTarget(
      name: "phbatch",
      dependencies: [
        "Notation", "PhotoBatch", "PhotoImport", "PhotoLibrary", "PhotoRecipes", "PhotoReports",
        "PhotoStudio", "SystemCalls", argumentParser, system,
      ],
      swiftSettings: cold),
    .executableTarget(
      name: "InProcess", dependencies: ["Notation", "PhotoRecipes", "PhotoRender"],
      path: "Benchmarks/tools/in-process", swiftSettings: strict),
    .executableTarget(
      name: "LivePictures",
      dependencies: ["Notation", "PhotoBatch", "PhotoRecipes", "PhotoRender", system],
      path: "Benchmarks/tools/live-pictures", swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "FileStructure", "Notation", "PhotoImport", "PhotoLibrary", "PhotoMetadata", "PhotoRecipes",
        "PhotoRender", "PhotoStudio",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestRandom"], path: "Tests/Fuzz/Replay",
      swiftSettings: testing),
    .target(name: "TestRandom", path: "Tests/TestRandom", swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["FileStructure", "TestRandom", "Vips", system],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(
      name: "TestReference", dependencies: ["PixelKernels", "TestRandom", "Vips"],
      path: "Tests/TestReference", swiftSettings: strict),
    .testTarget(
      name: "PixelKernelsTests",
      dependencies: ["CVips", "PixelKernels", "TestRandom", "TestReference", "Vips"],
      swiftSettings: testing),
    .testTarget(
      name: "VipsTests", dependencies: ["CVips", "TestRandom", "TestSupport", "Vips"],
      swiftSettings: testing),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "Notation", "PhotoImport", "PhotoLibrary", "PhotoRecipes", "SystemCalls", "TestRandom",
        "TestSupport", system,
      ],
      exclude: ["Stored"], swiftSettings: testing),
    .testTarget(
      name: "FileStructureTests", dependencies: ["FileStructure"], swiftSettings: testing),
    .testTarget(
      name: "NotationTests", dependencies: ["Notation", "TestRandom", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PhotoImportTests",
      dependencies: ["Notation", "PhotoImport", "PhotoRecipes", "TestRandom", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PhotoMetadataTests",
      dependencies: [
        "FileStructure", "Notation", "PhotoMetadata", "PhotoRecipes", "TestRandom", "TestSupport",
        "Vips", system,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PhotoRecipesTests", dependencies: ["Notation", "PhotoRecipes", "TestRandom"],
      swiftSettings: testing),
    .testTarget(
      name: "PhotoRenderTests",
      dependencies: [
        "FileStructure", "Notation", "PhotoImport", "PhotoMetadata", "PhotoRecipes", "PhotoRender",
        "TestRandom", "TestSupport", "Vips",
      ],
      swiftSettings: testing),
    .executableTarget(
      name: "WorkerStub", dependencies: ["PhotoBatch", "SystemCalls", "Vips"],
      path: "Tests/WorkerStub", swiftSettings: strict),
    .testTarget(
      name: "PhotoBatchTests",
      dependencies: [
        "Notation", "PhotoBatch", "PhotoImport", "PhotoLibrary", "PhotoRecipes", "PhotoRender",
        "TestRandom", "TestSupport", "WorkerStub", "phbatch", system,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PhotoStudioTests",
      dependencies: [
        "Notation", "PhotoBatch", "PhotoLibrary", "PhotoRecipes", "PhotoStudio", "TestSupport",
        system,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "FilmsTests", dependencies: ["Films", "TestRandom"], swiftSettings: testing),
    .testTarget(
      name: "phbatchTests",
      dependencies: [
        "PhotoRecipes", "PhotoRender", "TestRandom", "TestSupport", "phbatch", "phbatch-video",
        system,
      ],
      swiftSettings: testing),
  ],
  cxxLanguageStandard: .cxx17
)

// libFuzzer is linked only where it is asked for, as Benchmarks/suites/fuzz does.
if Context.environment["PHBATCH_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver",
      // libFuzzer brings the main function.
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
      // gold fails with the counters that libFuzzer needs.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}
