import Testing

@testable import Vips

@Suite struct WarningTests {
  /// Loads a truncated JPEG leniently: libvips warns and continues.
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

  @Test func warningsArePrintedWithoutACollector() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try WarningTests.warn()
      #expect(VipsRuntime.takeWarnings() == Warnings())
    }
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(printed.contains("VIPS-WARNING"))
  }

  /// An error without a text of its own has the text of the last warning.
  ///
  /// For a PNG of size 0, libvips reports the reason only as a warning.
  @Test func aFailureWithoutATextReportsTheLastWarning() async {
    await #expect(processExitsWith: .success) {
      VipsRuntime.captureWarnings()
      let header: [UInt8] = [
        137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 0, 0, 0, 0, 1, 8, 2,
        0, 0, 0, 127, 181, 56, 224, 0, 0, 0, 0, 73, 68, 65, 84, 53, 175, 6, 30,
      ]
      let error = #expect(throws: VipsError.self) {
        try Image.calling("pngload_source", ["source": .source(Source(bytes: header))]).image("out")
      }
      #expect(error.map { "\($0)".contains("no reason") } == false, "\(String(describing: error))")
      VipsRuntime.forgetErrorText()
      #expect(VipsRuntime.latestWarning == nil)
    }
  }

  @Test func truncationIsNoticedEvenIfWarningsAreDropped() async {
    await #expect(processExitsWith: .success) {
      VipsRuntime.captureWarnings(keeping: 0)
      let bytes = try Image.ramp(width: 256, height: 256).encoded(as: "jpegsave_target")
      let cut = Array(bytes.prefix(bytes.count / 2)) + [0xFF, 0xD9]
      _ = try Image.load(from: Source(bytes: cut)).pixels()
      let warnings = VipsRuntime.takeWarnings()
      #expect(warnings.messages.isEmpty && warnings.signs == [.prematureEnd])
    }
  }
}
