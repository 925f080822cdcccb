import Testing

@testable import Vips

@Suite struct WarningTests {
  /// A JPEG cut short, read leniently: libvips warns, and goes on.
  @Sendable private static func warn() throws {
    let bytes = try Image.ramp(width: 256, height: 256).encoded(as: "jpegsave_target")
    let cut = Array(bytes.prefix(bytes.count / 2))
    _ = try Image.load(from: Source(bytes: cut), ["fail_on": .choice("none")]).pixels()
  }

  @Test func warningsAreCollectedAndNotPrinted() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      VipsRuntime.captureWarnings(keeping: 3)
      for _ in 0..<5 { try WarningTests.warn() }
      let warnings = VipsRuntime.takeWarnings()
      #expect(warnings.messages.count == 3 && warnings.dropped >= 2)
      #expect(warnings.messages.allSatisfy { !$0.isEmpty && $0.count <= 500 })
      #expect(VipsRuntime.takeWarnings() == Warnings())
    }
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!printed.contains("WARNING"), "\(printed)")
  }

  @Test func withoutACollectorTheyArePrinted() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try WarningTests.warn()
      #expect(VipsRuntime.takeWarnings() == Warnings())
    }
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(printed.contains("VIPS-WARNING"))
  }
}
