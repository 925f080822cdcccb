import PhotoMetadata
import PhotoRecipes
import Synchronization
import Vips

extension RawDevelopment {
  /// The arguments of `phbatch_rawload` for a mosaic.
  var loading: [String: Argument] {
    corrections.loading.merging(["mend-hot-pixels": .flag(mendsHotPixels)]) { $1 }
      .merging(storage?.arguments ?? [:]) { $1 }
  }

  /// The picture in linear light, reduced by `shrink`; the pixels are computed when they are read.
  func image(
    _ photo: PhotoFile, shrink: Int, _ decoded: RawSamples? = nil
  ) throws(VipsError) -> Image {
    switch way {
    case .mosaic(let mosaic):
      let samples = try (decoded ?? RawSamples()).image(of: photo, loading)
      let linear = try corrections.samplesApplied(to: samples)
      let area = corrections.hasWarp ? mosaic.whole : mosaic.frame
      let developed = try linear.applying(
        "phbatch_develop",
        mosaic.arguments(area, shrink: shrink))
      return try profile.applied(
        to: corrections.pictureApplied(
          to: developed, at: area, showing: mosaic.frame, shrink: shrink))
    case .layers(let layers):
      let arguments: [String: Argument] = ["source": .source(photo.source())]
      let samples = try Image.calling(
        InputFormat.Loader.raw.operation, arguments.merging(storage?.arguments ?? [:]) { $1 }
      ).image("out")
      let linear = try corrections.samplesApplied(to: samples)
      let area =
        corrections.hasWarp
        ? Rectangle(left: 0, top: 0, size: layers.visible) : layers.frame
      let developed = try linear.applying("crop", area.arguments)
        .applying("phbatch_camera_colours", layers.arguments)
      return try profile.applied(
        to: corrections.pictureApplied(
          to: developed, at: area, showing: layers.frame, shrink: shrink))
    case .whole(let whole):
      var arguments: [String: Argument] = [
        "source": .source(photo.source()), "half": .flag(shrink == 2),
      ]
      if let parts = storage?.arguments["parts"] { arguments["parts"] = parts }
      if let m = whole.multipliers { arguments["multipliers"] = .numbers([m.x, m.y, m.z]) }
      let picture = try Image.calling(InputFormat.Loader.raw.operation, arguments).image("out")
      let scaled = try picture.applying(
        "linear", ["a": .numbers([1 / 65_535.0]), "b": .numbers([0])]
      )
      .applying("cast", ["format": .choice(SampleFormat.float.rawValue)])
      .applying(
        "phbatch_camera_colours",
        [
          "multipliers": .numbers([1, 1, 1]), "matrix": .numbers(whole.matrix.numbers),
          "format": .choice(SampleFormat.float.rawValue),
        ])
      let area = Rectangle(
        left: 0, top: 0, size: Size(picture.width * shrink, picture.height * shrink))
      let corrected = try corrections.pictureApplied(
        to: scaled, at: area, showing: area, shrink: shrink)
      return try profile.applied(to: whole.shown(corrected, shrink: shrink))
    case .scan(let number):
      return try Image.calling(
        "tiffload_source",
        ["source": .source(photo.source()), "subifd": .integer(number ?? -1)]
      ).image("out")
    case .preview:
      let facts = try RawFacts(of: photo, withPreview: true, isLenient: true)
      guard let bytes = facts.preview else {
        throw .failed(operation: "load", detail: "the embedded JPEG is missing")
      }
      return try Image.calling(
        "jpegload_source",
        ["source": .source(Source(bytes: bytes)), "shrink": .integer(shrink)]
      ).image("out")
    }
  }
}

extension RawDevelopment.Layers {
  /// The arguments of `phbatch_camera_colours`.
  fileprivate var arguments: [String: Argument] {
    [
      "multipliers": .numbers([multipliers.x, multipliers.y, multipliers.z]),
      "matrix": .numbers(matrix.numbers), "stored": .flag(true),
      "clip": .flag(highlights == .clip), "format": .choice(SampleFormat.float.rawValue),
    ]
  }
}

extension Rectangle {
  /// The arguments of `crop`.
  fileprivate var arguments: [String: Argument] {
    [
      "left": .integer(left), "top": .integer(top), "width": .integer(size.width),
      "height": .integer(size.height),
    ]
  }
}

extension RawDevelopment.Whole {
  /// The shown part of the picture that LibRaw developed, reduced by `shrink`.
  fileprivate func shown(_ picture: Image, shrink: Int) throws(VipsError) -> Image {
    guard let frame else { return picture }
    let (left, top) = (frame.left / shrink, frame.top / shrink)
    return try picture.applying(
      "crop",
      [
        "left": .integer(left), "top": .integer(top),
        "width": .integer(max(1, min(frame.size.width / shrink, picture.width - left))),
        "height": .integer(max(1, min(frame.size.height / shrink, picture.height - top))),
      ])
  }
}

/// The samples of one raw photo, which are decoded once for several passes over the photo.
final class RawSamples: Sendable {
  private let image = Mutex<Image?>(nil)

  /// Returns the mosaic; its samples are decoded when they are first read.
  ///
  /// `arguments` are further arguments of `phbatch_rawload`; they are the same for all passes.
  func image(
    of photo: PhotoFile, _ arguments: [String: Argument]
  ) throws(VipsError) -> Image {
    if let known = image.withLock({ $0 }) { return known }
    let made = try Image.calling(
      InputFormat.Loader.raw.operation,
      arguments.merging(["source": .source(photo.separateSource())]) { $1 }
    ).image("out")
    image.withLock { $0 = made }
    return made
  }
}

extension RawDevelopment.Mosaic {
  fileprivate var whole: Rectangle { Rectangle(left: 0, top: 0, size: visible) }

  /// The arguments of `phbatch_develop` for a part of the visible area.
  fileprivate func arguments(_ area: Rectangle, shrink: Int) -> [String: Argument] {
    [
      "left": .integer(area.left), "top": .integer(area.top),
      "width": .integer(area.size.width), "height": .integer(area.size.height),
      "pattern": .integers(pattern),
      "multipliers": .numbers([multipliers.x, multipliers.y, multipliers.z]),
      "matrix": .numbers(matrix.numbers),
      "shrink": .integer(shrink), "clip": .flag(highlights == .clip),
      "rebuild": .flag(highlights == .rebuild),
      "format": .choice(SampleFormat.float.rawValue),
    ]
  }
}
