import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// Photos that stream through chains of operations that read neighbouring rows, and truncated
/// photos.
@Suite struct StreamingTests {
  /// A photo with more rows than any cache keeps, so that an operation that reads rows out of order
  /// fails.
  private static let photo = Result {
    try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 320, height: 3000), "jpegsave_target", ["Q": .integer(90)])
  }

  /// The pixels of `photo` in tiles, which may be read in any order.
  private static let tiles = Result {
    try Samples(file: photo.get()).file("tiffsave_target", ["tile": .flag(true)])
  }

  @Test(arguments: [
    #"[{"filter": "sharpen", "radius": 20, "opacity": 0.5}]"#,
    #"[{"filter": "blur", "radius": 100, "opacity": 0.3}, {"filter": "sharpen", "opacity": 0.4}]"#,
    #"[{"filter": "exposure", "stops": 1}, {"filter": "blur", "radius": 60, "opacity": 0.5}]"#,
    #"[{"filter": "crop", "top": 2700, "height": 200}, {"filter": "blur", "radius": 30, "opacity": 0.5}]"#,
    #"[{"filter": "flip"}, {"filter": "blur", "radius": 30, "opacity": 0.5}]"#,
    #"[{"filter": "flip", "direction": "vertical"}, {"filter": "sharpen", "opacity": 0.5}]"#,
    #"[{"filter": "pad", "width": 450, "height": 3600}, {"filter": "blur", "radius": 20, "opacity": 0.5}]"#,
    #"[{"filter": "watermark", "image": "m.png", "gravity": "south"}, {"filter": "blur", "radius": 25, "opacity": 0.5}]"#,
    #"[{"filter": "blur", "radius": 25}, {"filter": "watermark", "image": "m.png", "opacity": 0.4}, {"filter": "watermark", "id": "top", "image": "m.png", "gravity": "north"}]"#,
    #"[{"filter": "resize", "width": 250}, {"filter": "blur", "radius": 40, "opacity": 0.5}, {"filter": "resize", "id": "again", "width": 150}]"#,
    #"[{"filter": "straighten", "angle": 5}]"#,
    #"[{"filter": "straighten", "angle": -40}, {"filter": "blur", "radius": 20, "opacity": 0.5}]"#,
    #"[{"filter": "perspective", "pitch": 8, "yaw": 5}, {"filter": "straighten", "angle": 3}]"#,
    #"[{"filter": "perspective", "corners": [[0.9,0.1],[0.9,0.9],[0.1,0.9],[0.1,0.1]]}]"#,
    #"[{"filter": "shadow", "y": 0.5}]"#,
    #"[{"filter": "roundCorners", "radius": 100}, {"filter": "shadow", "y": 0.5, "blur": 0.05}]"#,
    #"[{"filter": "roundCorners", "radius": 100}, {"filter": "shadow", "y": -0.5}]"#,
    #"[{"filter": "text", "content": "a"}, {"filter": "watermark", "image": "m.png", "tile": true, "angle": 30, "opacity": 0.4}]"#,
    #"[{"filter": "rotate", "angle": 90}, {"filter": "blur", "radius": 20, "opacity": 0.5}]"#,
    #"[{"filter": "blur", "radius": 200}, {"filter": "sharpen", "edges": 0.5, "halo": 0.5}]"#,
    #"[{"filter": "denoise", "opacity": 0.5}, {"filter": "surfaceBlur", "radius": 30, "opacity": 0.5}]"#,
    #"[{"filter": "bloom", "radius": 60}, {"filter": "soften", "radius": 60, "opacity": 0.5}]"#,
    #"[{"filter": "heal", "spots": [{"at": [0.3, 0.2], "radius": 30}, {"at": [0.6, 0.21], "radius": 60}, {"at": [0.4, 0.98], "radius": 9, "source": [0.4, 0.7]}], "opacity": 0.5}, {"filter": "deconvolve"}]"#,
    #"[{"filter": "crop", "top": 1500, "height": 900}, {"filter": "heal", "spots": [{"at": [0.5, 0.9], "radius": 40}]}]"#,
    #"[{"filter": "heal", "spots": [{"at": [0.5, 0.5], "radius": 70}]}, {"filter": "crop", "top": 1500, "height": 900}]"#,
    #"[{"filter": "defringe", "opacity": 0.5}, {"filter": "moire", "radius": 16}]"#,
    #"[{"filter": "tiltShift", "radius": 60, "opacity": 0.5}, {"filter": "median", "radius": 5}]"#,
    #"[{"filter": "censor", "method": "blur", "size": 60}, {"filter": "pixelate", "size": 90, "opacity": 0.5}]"#,
    #"[{"filter": "blur", "kind": "motion", "radius": 100, "angle": 90, "opacity": 0.5}, {"filter": "blur", "id": "box", "kind": "box", "radius": 80}]"#,
  ])
  func chainsThatReadEarlierRowsRender(_ filters: String) throws {
    let mark = try Samples.flat([9, 99, 200, 160], 30, 20).file()
    let files = ["m.png": mark]
    func developed(_ photo: [UInt8]) throws -> [UInt8] {
      try Studio.develop(
        photo, filters, output: #""format": "tiff", "compression": "none""#, rendering: "exact",
        files: files)
    }
    let streamed = try developed(Self.photo.get())
    let wanted = try developed(Self.tiles.get())
    #expect(try Samples(file: streamed).difference(from: Samples(file: wanted)) <= 1)
  }

  /// A photo so wide that libvips reads several rows of tiles of 128 × 128 pixels at a time.
  private static let wide = Result {
    try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 4100, height: 700), "jpegsave_target", ["Q": .integer(80)])
  }

  @Test(arguments: [
    #"[{"filter": "roundCorners"}]"#,
    #"[{"filter": "watermark", "image": "m.png", "gravity": "northwest"}]"#,
    #"[{"filter": "border", "width": 96}, {"filter": "roundCorners"}, {"filter": "blur"}]"#,
    // With these borders, strips begin inside the rows of blocks that a JPEG decoder decodes at a
    // time.
    #"[{"filter": "border", "width": 50}, {"filter": "roundCorners"}]"#,
    #"[{"filter": "border", "width": 97}, {"filter": "watermark", "image": "m.png", "gravity": "northwest"}]"#,
    #"[{"filter": "border", "width": 1}, {"filter": "text", "content": "a", "gravity": "north"}, {"filter": "sharpen"}]"#,
  ])
  func drawingsOnWidePhotosRender(_ filters: String) throws {
    let mark = try Samples.flat([9, 99, 200, 160], 30, 20).file()
    let rendered = try Studio.develop(
      Self.wide.get(), filters, output: #""format": "jpeg""#, files: ["m.png": mark])
    #expect(try Samples(file: rendered).width >= 4100)
  }

  @Test func manyOutputsShareOnePhoto() throws {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.many", "version": "1.0.0",
         "filters": [{"filter": "sharpen", "opacity": 0.5}],
         "outputs": [
          {"name": "a", "format": "png"},
          {"name": "b", "format": "png", "filters": [{"filter": "resize", "width": 100}]},
          {"name": "c", "format": "jpeg", "filters": [{"filter": "crop", "top": 2500, "height": 90}]},
          {"name": "d", "format": "webp", "filters": [{"filter": "blur", "radius": 9, "opacity": 0.5}]}]}
        """)
    let (files, report) = try Studio.render(Self.photo.get(), recipe)
    #expect(
      report.renditions.map(\.size) == [
        Size(320, 3000), Size(100, 938), Size(320, 90), Size(320, 3000),
      ])
    for rendition in report.renditions {
      let image = try Image.load(from: Source(bytes: #require(files[rendition.output])))
      #expect(Size(image.width, image.height) == rendition.size)
    }
  }

  @Test(
    arguments: [
      ("jpegsave_target", ["Q": .integer(90)]),
      ("jpegsave_target", ["interlace": .flag(true)]), ("pngsave_target", [:]),
      ("pngsave_target", ["interlace": .flag(true)]),
      ("webpsave_target", ["lossless": .flag(true)]),
      ("webpsave_target", [:]), ("tiffsave_target", ["compression": .choice("deflate")]),
      ("tiffsave_target", ["tile": .flag(true)]),
    ] as [(String, [String: Argument])], ["[]", #"[{"filter": "resize", "width": 40}]"#])
  func truncatedPhotosAreErrors(_ saver: (String, [String: Argument]), _ filters: String) throws {
    let image = try SyntheticPhoto.image(width: 500, height: 400)
    let photo = try SyntheticPhoto.bytes(image, saver.0, saver.1)
    let recipe = try Studio.recipe(filters)
    for tenth in TestVolume.one(of: 3, Array(0..<10)) {
      let cut = Array(photo.prefix(photo.count * tenth / 10 + photo.count / 20))
      do {
        _ = try Studio.render(cut, recipe)
        Issue.record("\(saver.0) \(saver.1.keys) cut at \(cut.count) of \(photo.count) rendered")
      } catch let error as RenderError {
        switch error {
        case .truncated, .unreadable: break
        default: Issue.record("\(error)")
        }
      }
    }
    #expect(throws: Never.self) { try Studio.render(photo, recipe) }
  }
}
