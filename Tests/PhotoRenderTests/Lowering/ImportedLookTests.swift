import Foundation
import Notation
import PhotoImport
import PhotoRecipes
import TestSupport
import Testing
import Vips

/// An imported edit, compared with the picture that the other program rendered.
@Suite(.enabled(if: Corpus.isHere)) struct ImportedLookTests {
  /// The mean ΔE2000 of two pictures of the same size.
  private func difference(_ a: Image, _ b: Image) throws -> Double {
    let (left, right) = (try Self.lab(a), try Self.lab(b))
    let map = try left.applying("dE00", ["right": .image(right)])
    let samples = try map.samples(as: Float.self)
    return samples.reduce(0) { $0 + Double($1) } / Double(samples.count)
  }

  private static func lab(_ image: Image) throws -> Image {
    try image.applying("colourspace", ["space": .choice("lab")]).materialized()
  }

  /// The light, colour and look `3DNoir` of a photo give nearly the picture that Photos rendered.
  ///
  /// The mean ΔE2000 is 1.72 (2.3 with the look `noir` alone). The best curve leaves 1.5.
  @Test func anImportedEditLooksLikeTheRenderedImageOfPhotos() throws {
    let folder = try #require(Corpus.folder) + "/sidecars/photoprism/"
    func load(_ bytes: [UInt8]) throws -> Image { try Image.load(from: Source(bytes: bytes)) }
    func read(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: folder + name)))
    }
    let imported = try Import.recipe(
      from: read("IMG_4120.AAE"), named: "IMG_4120.AAE", identifier: "org.example.a")
    let photo = try read("IMG_4120.JPG")
    let filters = JSON.array(imported.filters).compactText
    let edited = try load(try Studio.develop(photo, filters))
    let crop = JSON.array(Array(imported.filters.prefix(1))).compactText
    let plain = try load(try Studio.develop(photo, crop))
    let current = try load(try read("IMG_E4120.JPG"))
      .applying("thumbnail_image", ["width": .integer(edited.width)])
    let (near, far) = (try difference(edited, current), try difference(plain, current))
    print("mean ΔE2000 to Photos' own: \(near), of the crop alone: \(far)")
    #expect(near < 1.8)
    #expect(far > 8)
  }

  /// The imported light and colour settings of a photo give nearly the picture that Photos
  /// rendered.
  ///
  /// The mean ΔE2000 is 1.47 (4.7 without the edit). The best change that depends only on a pixel's
  /// colour leaves 1.3.
  @Test func importedLightAndColourOfPhotosLookNearlyTheSame() throws {
    let folder = try #require(Corpus.folder) + "/live/edit/"
    func read(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: folder + name)))
    }
    func small(_ name: String, _ filters: [JSON]) throws -> Image {
      let steps = filters.map(\.compactText) + [#"{"filter": "resize", "longEdge": 800}"#]
      let file = try Studio.develop(
        read(name), "[\(steps.joined(separator: ", "))]", output: #""format": "png""#)
      return try Image.load(from: Source(bytes: file))
    }
    let imported = try Import.recipe(
      from: read("IMG_4682.AAE"), named: "IMG_4682.AAE", identifier: "org.example.a")
    let current = try small("IMG_4682_edited.heic", [])
    let near = try difference(small("IMG_4682.HEIC", imported.filters), current)
    let far = try difference(small("IMG_4682.HEIC", []), current)
    print("mean ΔE2000 to Photos' light and colour: \(near), unedited: \(far)")
    #expect(near < 1.5)
    #expect(far > 4)
  }
}
