import PhotoRender
import TestSupport
import Testing
import Vips

/// Truncated files of every format, which must not be rendered as if they were complete.
@Suite struct TruncationTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let saver: String
    var arguments: [String: Argument] = [:]
    var testDescription: String { name }
    /// True if libvips only warns of the truncation.
    var warns: Bool { saver == "jpegsave_target" }

    func file(_ image: Image) throws -> [UInt8] {
      if saver == "jxl" { return try SyntheticPhoto.jxl(image) }
      return try SyntheticPhoto.bytes(image, saver, arguments)
    }
  }

  static let kinds = [
    Kind(name: "jpeg", saver: "jpegsave_target"),
    Kind(
      name: "progressive jpeg", saver: "jpegsave_target", arguments: ["interlace": .flag(true)]),
    Kind(name: "png", saver: "pngsave_target"),
    Kind(name: "interlaced png", saver: "pngsave_target", arguments: ["interlace": .flag(true)]),
    Kind(name: "webp", saver: "webpsave_target"),
    Kind(name: "lossless webp", saver: "webpsave_target", arguments: ["lossless": .flag(true)]),
    Kind(name: "gif", saver: "gifsave_target"),
    Kind(name: "tiff", saver: "tiffsave_target"),
    Kind(
      name: "tiled tiff", saver: "tiffsave_target",
      arguments: [
        "tile": .flag(true), "tile-width": .integer(32), "tile-height": .integer(32),
        "compression": .choice("deflate"),
      ]),
    Kind(name: "heic", saver: "heifsave_target"),
    Kind(name: "avif", saver: "heifsave_target", arguments: ["compression": .choice("av1")]),
    Kind(name: "jxl", saver: "jxl"),
    Kind(name: "jp2", saver: "jp2ksave_target"),
  ]

  private static let points = 64

  /// A truncated file gives an error or the whole picture, never a part of the picture.
  @Test(arguments: kinds.filter { !$0.warns })
  func aTruncatedPhotoIsNotRenderedAsIfComplete(_ kind: Kind) throws {
    try Self.expectNoPart(kind)
  }

  @Test(arguments: kinds.filter { !$0.warns })
  func aTruncatedFileIsReportedAsCutOff(_ kind: Kind) throws {
    try Self.expectReport(kind)
  }

  /// In a process of their own, because the warnings of libvips do not state which photo they are
  /// about, and other tests would take them for theirs.
  @Test func truncatedJPEGFilesAreReportedAndNotRenderedAsIfComplete() async {
    await #expect(processExitsWith: .success) {
      for kind in TruncationTests.kinds where kind.warns {
        try TruncationTests.expectNoPart(kind)
        try TruncationTests.expectReport(kind)
      }
    }
  }

  private static func expectNoPart(_ kind: Kind) throws {
    let image = try SyntheticPhoto.image(width: 96, height: 64)
    let file = try kind.file(image)
    let whole = try Studio.develop(file, "[]")
    var passed: [Int] = []
    for point in 0..<points {
      let count = (file.count - 1) * point / (points - 1)
      guard let part = try? Studio.develop(Array(file.prefix(count)), "[]") else { continue }
      #expect(part == whole, "the first \(count) of \(file.count) bytes")
      passed.append(count)
    }
    // Only bytes after the pixels may be missing.
    #expect(passed.allSatisfy { file.count - $0 < 64 }, "\(passed) of \(file.count)")
  }

  private static func expectReport(_ kind: Kind) throws {
    let image = try SyntheticPhoto.image(width: 96, height: 64)
    let file = try kind.file(image)
    let recipe = try Studio.recipe("[]")
    let error = #expect(throws: RenderError.self) {
      try Studio.render(Array(file.prefix(file.count * 2 / 3)), recipe)
    }
    // A bare JPEG XL codestream does not state its length, so the message says "or cut off".
    let words = kind.name == "jxl" ? "or cut off" : "cut off"
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
