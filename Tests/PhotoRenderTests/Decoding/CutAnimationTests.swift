import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Animations whose frames are missing or unreadable.
@Suite struct CutAnimationTests {
  private static func render(_ photo: [UInt8], frames: String) throws -> Rendering {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"frames": \(frames)},
         "filters": [], "outputs": [{"name": "out", "format": "webp"}]}
        """)
    return try Studio.render(photo, recipe).report
  }

  private static let animation = Result {
    let colours = [[250, 10, 10], [10, 250, 10], [10, 10, 250]]
    let frames = try colours.map { try Samples.flat($0, 40, 20).image() }
    let tall = try Image.calling("arrayjoin", ["in": .images(frames), "across": .integer(1)])
      .image("out").setting([
        "page-height": .integer(20), "n-pages": .integer(3), "delay": .integers([100, 100, 100]),
      ])
    return try SyntheticPhoto.bytes(tall, "gifsave_target")
  }

  @Test func aTruncatedAnimationIsRefused() throws {
    let whole = try Self.animation.get()
    let fine = try Self.render(whole, frames: #""all""#).warnings
    #expect(!fine.contains { $0.contains("missing") }, "\(fine)")
    let cut = Array(whole.dropLast(6))
    let error = #expect(throws: RenderError.self) { try Self.render(cut, frames: #""all""#) }
    #expect(error?.message.contains("cut off") == true, "\(error?.message ?? "")")
    #expect(throws: RenderError.self) { try Self.render(cut, frames: "3") }
    for frames in [#""first""#, "2"] {
      let warnings = try Self.render(cut, frames: frames).warnings
      #expect(warnings.contains { $0.contains("the others are missing") }, "\(warnings)")
    }
  }

  /// libpng reads only the first frame of an animated PNG file, whether the file is complete or
  /// not; a warning reports this.
  @Test func anAnimationOfWhichOnlyOnePictureIsReadIsReported() throws {
    let png = try Samples.flat([250, 10, 10], 40, 20).file()
    let animated = PNGChunks.adding(
      "acTL", PNGChunks.bytes(3) + PNGChunks.bytes(0), to: png)
    let frame = PNGChunks.adding("fdAT", [0, 0, 0, 1, 9, 9], to: png)[33..<(33 + 18)]
    for frames in [#""all""#, #""first""#] {
      let warnings = try Self.render(animated, frames: frames).warnings
      #expect(warnings.contains { $0.contains("only this picture") }, "\(warnings)")
      let cut = try Self.render(Array(animated.dropLast(12)) + frame, frames: frames).warnings
      #expect(cut.contains { $0.contains("frames are missing") }, "\(cut)")
      let still = try Self.render(png, frames: frames).warnings
      #expect(!still.contains { $0.contains("animation") }, "\(still)")
    }
  }

  /// libvips 8.14 reads only one picture of an animated JPEG XL or AVIF file; phbatch reports this
  /// with a warning.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      "formats/jxl-conformance/animation_newtons_cradle/input.jxl",
      "aux/libavif/colors-animated-8bpc-depth-exif-xmp.avif",
    ])
  func aRealAnimationOfWhichOnlyOnePictureIsReadIsReported(_ name: String) throws {
    let folder = try #require(Corpus.folder)
    let file = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    for frames in [#""all""#, #""first""#] {
      let report = try Self.render(file, frames: frames)
      #expect(
        report.warnings.contains { $0.contains("only this picture can be read") },
        "\(report.warnings)")
    }
  }

  /// A JPEG XL file without animation timing, or an AVIF file without a track, is not an animation.
  @Test(arguments: ["jxl", "avif"]) func singlePicturesAreNotReportedAsAnimations(
    _ format: String
  ) throws {
    let file = try Studio.develop(
      Samples.flat([250, 10, 10], 40, 20).file(), "[]", output: #""format": "\#(format)""#)
    let warnings = try Self.render(file, frames: #""all""#).warnings
    #expect(!warnings.contains { $0.contains("animation") }, "\(warnings)")
  }

  @Test func reducedSizesAreNotCountedAsPages() throws {
    let image = try SyntheticPhoto.image(width: 256, height: 128)
    let file = try SyntheticPhoto.bytes(image, "jp2ksave_target")
    let header = try Renderer.header(of: .bytes(file))
    #expect(header.pages == 1)
  }

  /// libvips ignores a profile with missing bytes; the file is nevertheless reported as truncated.
  @Test func aTIFFFileWithAnIncompleteProfileIsReportedAsTruncated() throws {
    let profile = StandardProfile.displayP3.bytes
    let file = try Samples.flat([250, 10, 10], 40, 20).file(
      "tiffsave_target", fields: ["icc-profile-data": .blob(profile)])
    #expect(throws: Never.self) { try Studio.develop(file, "[]") }
    let error = #expect(throws: RenderError.self) {
      try Studio.develop(Array(file.dropLast(8)), "[]")
    }
    #expect(error?.message.contains("cut off") == true, "\(error?.message ?? "")")
  }
}
