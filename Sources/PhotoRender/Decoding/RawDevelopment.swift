import Glibc
import PhotoMetadata
public import PhotoRecipes
import Synchronization
import Vips

/// The development of a raw file to a picture in linear light, chosen from the file's header.
public struct RawDevelopment: Sendable, Hashable {
  /// The source of the picture's pixels.
  enum Way: Sendable, Hashable {
    /// A Bayer mosaic, which `phbatch_develop` interpolates.
    case mosaic(Mosaic)
    /// A picture that LibRaw develops: linear light in 16 bits.
    case whole
    /// The JPEG embedded in the file.
    case preview
  }

  struct Mosaic: Sendable, Hashable {
    /// The part of the sensor's visible area that is shown.
    let frame: Rectangle
    /// The column and the row of red in a cell of 2 × 2 pixels, 0 or 1.
    let redLeft: Int
    let redTop: Int
    let multipliers: ColourMatrix.Vector
    /// The matrix from white-balanced camera colours to linear light with sRGB's primaries.
    let matrix: ColourMatrix
    let clips: Bool
  }

  let way: Way
  /// The conversion of the picture's light to tones; nil if the tones stay as they are.
  public let look: RawLook?
  /// The number of pixels that are decoded, including those that are not shown.
  let decodedPixels: Int
  let warnings: [String]

  /// The factors by which the picture can be reduced while it is decoded.
  var shrinks: [Int] {
    if case .whole = way { [1, 2] } else { [1, 2, 4, 8] }
  }

  /// The bytes of memory for decoding, without the pipeline.
  ///
  /// Measured with LibRaw 0.20.
  func decodingBytes(fileBytes: Int, width: Int) -> Int {
    switch way {
    // The samples, two strips of floats, the rows of the mosaic, a tile, and LibRaw's tables.
    case .mosaic: fileBytes + 2 * decodedPixels + width * (2 * 64 * 12 + 96 * 4) + (6 << 20)
    case .whole: fileBytes + 24 * decodedPixels + (6 << 20)
    case .preview: 2 * fileBytes + 64 * 3 * width
    }
  }
}

extension RawDevelopment {
  /// Chooses the development of a file.
  ///
  /// - Throws: `unsupportedRaw` for a file that cannot be read and has no preview that replaces it,
  ///   `missingPreview`, `unreadable`.
  init(_ photo: PhotoFile, _ settings: RawSettings) throws(RenderError) {
    let mayFallBack = settings.fallback == .preview
    let isPreview = settings.look == .preview
    let facts: RawFacts
    do throws(VipsError) {
      facts = try RawFacts(
        of: photo, withPreview: mayFallBack || isPreview || settings.look == .camera,
        unpacked: mayFallBack)
    } catch {
      throw .unreadable(error.reason)
    }
    let hasPreview = facts.preview != nil
    if isPreview && !hasPreview && !mayFallBack { throw .missingPreview }
    if let problem = facts.problem, !(hasPreview && (mayFallBack || isPreview)) {
      throw .unsupportedRaw(problem)
    }
    decodedPixels = facts.size.pixels
    if hasPreview && (isPreview || facts.problem != nil) {
      way = .preview
      look = nil
      let problem = isPreview ? nil : facts.problem
      warnings = problem.map { ["\($0): its embedded JPEG is rendered"] } ?? []
      return
    }
    switch settings.look {
    case .linear, .preview: look = nil
    case .neutral: look = .neutral
    case .camera: look = facts.previewTones.map(RawLook.camera) ?? .neutral
    }
    guard facts.isMosaic else {
      way = .whole
      warnings = []
      return
    }
    let conversion = facts.colour.conversion
    let exposure = exp2(facts.baselineExposure)
    way = .mosaic(
      Mosaic(
        frame: facts.crop ?? Rectangle(left: 0, top: 0, size: facts.size),
        redLeft: facts.red.left, redTop: facts.red.top, multipliers: conversion.multipliers,
        matrix: ColourMatrix.diagonal(.init(repeating: exposure)).after(conversion.matrix),
        clips: settings.highlights == .clip))
    warnings = [
      conversion.isDaylight
        ? "the camera's white balance is unknown: daylight is assumed" : nil,
      conversion.isGuess
        ? "the colours of \(facts.camera) are unknown: they are taken as sRGB" : nil,
    ].compactMap(\.self)
  }

  /// The picture in linear light, reduced by `shrink`; the pixels are computed when they are read.
  func image(
    _ photo: PhotoFile, shrink: Int, _ decoded: RawSamples? = nil
  ) throws(VipsError) -> Image {
    switch way {
    case .mosaic(let mosaic):
      let samples = try (decoded ?? RawSamples()).image(of: photo)
      return try samples.applying("phbatch_develop", mosaic.arguments(shrink: shrink))
    case .whole:
      let picture = try Image.calling(
        InputFormat.Loader.raw.operation,
        ["source": .source(photo.source()), "half": .flag(shrink == 2)]
      ).image("out")
      let scaled = try picture.applying(
        "linear", ["a": .numbers([1 / 65_535.0]), "b": .numbers([0])]
      )
      .applying("cast", ["format": .choice(SampleFormat.float.rawValue)])
      return try scaled.applying("copy", ["interpretation": .choice("scrgb")])
    case .preview:
      guard let bytes = try RawFacts(of: photo, withPreview: true).preview else {
        throw .failed(operation: "load", detail: "the embedded JPEG is missing")
      }
      return try Image.calling(
        "jpegload_source",
        ["source": .source(Source(bytes: bytes)), "shrink": .integer(shrink)]
      ).image("out")
    }
  }
}

extension RawFacts {
  /// The tones of the embedded JPEG; nil if the file has no embedded JPEG in colour.
  fileprivate var previewTones: PictureTones? {
    guard let preview else { return nil }
    do throws(VipsError) {
      func image(_ shrink: Int) throws(VipsError) -> Image {
        try Image.calling(
          "jpegload_source",
          ["source": .source(Source(bytes: preview)), "shrink": .integer(shrink)]
        ).image("out")
      }
      let whole = try image(1)
      let edge = max(whole.width, whole.height)
      let reduced = try image([8, 4, 2, 1].first { edge / $0 >= 300 } ?? 1)
      guard reduced.bands == 3, reduced.format == .uchar else { return nil }
      let bytes = try reduced.samples(as: UInt8.self)
      let starts = stride(from: 0, to: bytes.count, by: 3)
      return PictureTones(
        starts.map { SIMD3(Float(bytes[$0]), Float(bytes[$0 + 1]), Float(bytes[$0 + 2])) / 255 })
    } catch {
      // A damaged preview does not prevent the development: without the preview's tones, the look
      // is neutral.
      return nil
    }
  }
}

/// The samples of one raw photo, which are decoded once for several passes over the photo.
final class RawSamples: Sendable {
  private let image = Mutex<Image?>(nil)

  /// Returns the mosaic; its samples are decoded when they are first read.
  func image(of photo: PhotoFile) throws(VipsError) -> Image {
    if let known = image.withLock({ $0 }) { return known }
    let made = try Image.calling(
      InputFormat.Loader.raw.operation, ["source": .source(photo.separateSource())]
    ).image("out")
    image.withLock { $0 = made }
    return made
  }
}

extension RawDevelopment.Mosaic {
  fileprivate func arguments(shrink: Int) -> [String: Argument] {
    let rows = matrix.rows
    return [
      "left": .integer(frame.left), "top": .integer(frame.top),
      "width": .integer(frame.size.width), "height": .integer(frame.size.height),
      "red-left": .integer(redLeft), "red-top": .integer(redTop),
      "multipliers": .numbers([multipliers.x, multipliers.y, multipliers.z]),
      "matrix": .numbers(rows.flatMap { [$0.x, $0.y, $0.z] }),
      "shrink": .integer(shrink), "clip": .flag(clips),
      "format": .choice(SampleFormat.float.rawValue),
    ]
  }
}

extension PhotoHeader {
  /// Reads the header of a raw file.
  init(raw photo: PhotoFile, _ format: InputFormat, _ inputs: InputSettings) throws(RenderError) {
    let development: RawDevelopment
    do throws(RenderError) { development = try RawDevelopment(photo, inputs.raw) } catch {
      throw photo.diagnosis(of: error, format)
    }
    let image: Image
    let facts: RawFacts
    do throws(VipsError) {
      facts = try RawFacts(of: photo)
      image = try development.image(photo, shrink: 1)
    } catch {
      throw photo.diagnosis(of: .unreadable(error.reason), format)
    }
    self.init(image, format, inputs, loader: InputFormat.Loader.raw.operation)
    raw = development
    if case .preview = development.way {
      // The raw file's orientation applies to the preview, unless the camera turned the preview's
      // pixels or stated an orientation in the preview.
      let isTurned = stored.width < stored.height && facts.size.width > facts.size.height
      if orientation == .upright && !isTurned { orientation = facts.orientation }
      isInterlaced = false
    } else {
      orientation = facts.orientation
    }
    let metadata = Metadata(of: photo.byteSource)
    texts = [:]
    captureDate = PhotoDetails(metadata).date
    texts["date"] = captureDate
    pages = 1
  }
}
