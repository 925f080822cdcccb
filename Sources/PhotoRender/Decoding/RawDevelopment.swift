import Glibc
import PhotoMetadata
public import PhotoRecipes
import Vips

/// The development of a raw file to a picture in linear light, chosen from the file's header.
public struct RawDevelopment: Sendable, Hashable {
  /// The source of the picture's pixels.
  enum Way: Sendable, Hashable {
    /// A Bayer or X-Trans mosaic, which `phbatch_develop` interpolates.
    case mosaic(Mosaic)
    /// Three samples for each pixel.
    case layers(Layers)
    /// A picture that LibRaw interpolates: linear light in 16 bits.
    case whole(Whole)
    /// The JPEG embedded in the file.
    case preview
    /// The picture of a film scanner in a raw file: a subdirectory of the file's TIFF directory, by
    /// its number, or the first directory itself if it is nil.
    case scan(Int?)
  }

  struct Mosaic: Sendable, Hashable {
    /// The part of the sensor's visible area that is shown.
    let frame: Rectangle
    /// The colours of a cell of 2 × 2 pixels, or 6 × 6 for X-Trans, row by row: 0 red, 1 and 3 green,
    /// 2 blue.
    let pattern: [Int]
    /// The size of the visible area.
    let visible: Size
    let multipliers: ColourMatrix.Vector
    /// The matrix from white-balanced camera colours to linear light with sRGB's primaries.
    let matrix: ColourMatrix
    let highlights: RawSettings.Highlights

    /// True for the mosaic of an X-Trans sensor.
    var isXTrans: Bool { pattern.count == 36 }
  }

  struct Layers: Sendable, Hashable {
    /// The part of the visible area that is shown.
    let frame: Rectangle
    /// The size of the visible area.
    let visible: Size
    let multipliers: ColourMatrix.Vector
    /// The matrix from white-balanced camera colours to linear light with sRGB's primaries.
    let matrix: ColourMatrix
    /// Channels are not rebuilt; `rebuild` is done as `blend`.
    let highlights: RawSettings.Highlights
  }

  struct Whole: Sendable, Hashable {
    /// The multipliers of red, green and blue; nil if the camera's apply.
    let multipliers: ColourMatrix.Vector?
    /// The matrix from LibRaw's colours to linear light with sRGB's primaries.
    let matrix: ColourMatrix
    /// The part of the picture that is shown; nil if all of it.
    let frame: Rectangle?
  }

  let way: Way
  let corrections: RawCorrections
  /// The storage of a DNG file's samples; nil for other files.
  let storage: SampleStorage?
  /// True if hot and dead pixels of a mosaic are replaced.
  let mendsHotPixels: Bool
  /// The tables of the file's colour profile.
  let profile: ProfileSteps
  /// The light for which white is balanced, in the embedded JPEG by the camera; nil if it is unknown.
  public let light: Illuminant?
  /// True if `light` equals the light of the camera's own white balance.
  public let isAsShot: Bool
  /// The conversion of the picture's light to tones; nil if the tones stay as they are.
  public let look: RawLook?
  /// The removal of the sensor's colour noise; nil if the noise stays.
  let colourNoise: ColourNoise?
  /// The number of decoded pixels, including pixels that are not shown.
  let decodedPixels: Int
  fileprivate(set) var warnings: [String]

  /// True if the picture is made of a mosaic.
  var isMosaic: Bool { if case .mosaic = way { true } else { false } }

  /// The factors by which the picture can be reduced while it is decoded.
  var shrinks: [Int] {
    if !corrections.canShrink { return [1] }
    return switch way {
    // Blocks of 3 × 3 pixels of an X-Trans mosaic have all colours.
    case .mosaic(let mosaic) where mosaic.isXTrans: [1, 3, 6, 12]
    case .mosaic, .preview: [1, 2, 4, 8]
    case .whole: [1, 2]
    case .layers, .scan: [1]
    }
  }

  /// The bytes of memory for decoding, without the pipeline.
  ///
  /// Measured with LibRaw 0.20.
  func decodingBytes(fileBytes: Int, width: Int) -> Int {
    switch way {
    // The samples, two strips of floats, the rows of the mosaic, a tile, and LibRaw's tables.
    case .mosaic:
      fileBytes + 2 * decodedPixels + width * (2 * 64 * 12 + 96 * 4) + (6 << 20) + warpBytes(width)
    case .layers: fileBytes + layerBytes * decodedPixels + (6 << 20) + warpBytes(width)
    case .whole: fileBytes + 24 * decodedPixels + (6 << 20) + warpBytes(width)
    case .preview: 2 * fileBytes + 64 * 3 * width
    case .scan: fileBytes + 64 * 3 * width
    }
  }

  /// The bytes of memory for the decoded samples of a pixel of three layers.
  private var layerBytes: Int {
    switch storage?.layers ?? .decodedByLibRaw {
    case .decodedByLibRaw: 8
    case .jpegTiles: 3
    case .losslessTiles: 6
    case .plain: 0
    }
  }

  /// The bytes of the rows that corrections of distortion cache.
  private func warpBytes(_ width: Int) -> Int {
    let height = decodedPixels / max(1, width)
    return corrections.picture.reduce(0) { sum, step in
      guard case .warp(let warp) = step else { return sum }
      return sum + (warp.rowSpan(height: height) + 256) * width * 12
    }
  }
}

extension RawDevelopment {
  /// Chooses the development of a file.
  ///
  /// - Throws: `unsupportedRaw`, `tooLargeRaw`, `truncated` or `unreadable` for a file that cannot be
  ///   read and has no preview that replaces it, `missingPreview`.
  ///
  /// - Parameters:
  ///   - photo: The raw file.
  ///   - settings: The recipe's settings for raw photos.
  ///   - light: The light for which white is balanced; nil if the camera's own white balance
  ///     applies.
  init(
    _ photo: PhotoFile, _ settings: RawSettings, light: Illuminant? = nil
  ) throws(RenderError) {
    let mayFallBack = settings.fallback == .preview
    let isPreview = settings.look == .preview
    let missing = FileEnd.missingSamples(in: photo.byteSource)
    if let missing, !mayFallBack && !isPreview { throw .truncated(missing) }
    let facts: RawFacts
    do throws(VipsError) {
      facts = try RawFacts(
        of: photo, withPreview: mayFallBack || isPreview || settings.look == .camera,
        unpacked: mayFallBack && missing == nil, isLenient: mayFallBack || isPreview)
    } catch {
      throw .unreadable(error.reason)
    }
    let hasPreview = facts.preview != nil
    if let missing, !hasPreview { throw .truncated(missing) }
    if isPreview && !hasPreview && !mayFallBack { throw .missingPreview }
    let problem = facts.problem ?? missing ?? facts.damage
    if let problem, !(hasPreview && (mayFallBack || isPreview)) {
      if facts.problem != nil {
        throw .unsupportedRaw(
          problem, isDNG: facts.isDNG, hasPreview: hasPreview || RawFacts.hasPreview(photo))
      }
      if missing != nil { throw .truncated(problem) }
      throw facts.refusedFrame ?? .unreadable(problem)
    }
    decodedPixels = facts.size.pixels
    storage = facts.storage
    let usesPreview = hasPreview && (isPreview || problem != nil)
    if usesPreview || facts.isScan {
      way = usesPreview ? .preview : .scan(TIFFPictures(photo.byteSource)?.wholePicture)
      look = nil
      corrections = RawCorrections()
      mendsHotPixels = false
      profile = ProfileSteps(nil, part: 0, gain: 1, hasLook: false)
      colourNoise = nil
      let shot = facts.colour.conversion
      self.light = usesPreview && !shot.isDaylight ? shot.light : nil
      isAsShot = true
      warnings =
        isPreview ? [] : problem.map { ["\($0); the embedded JPEG is rendered instead"] } ?? []
      return
    }
    switch settings.look {
    case .linear, .preview: look = nil
    case .neutral: look = .neutral
    case .camera: look = facts.previewTones.map(RawLook.camera) ?? .neutral
    }
    let conversion = facts.colour.conversion(for: light)
    let exposure = exp2(facts.baselineExposure)
    let steps = ProfileSteps(
      facts.profile,
      part: facts.colour.shareOfLast(at: conversion.temperature ?? Self.usualTemperature),
      gain: exposure, hasLook: settings.look != .linear)
    // The tables of a profile include the exposure.
    let gain = steps.isEmpty ? exposure : 1
    corrections = facts.corrections
    mendsHotPixels = settings.hotPixels == .mend
    profile = steps
    self.light = conversion.light
    isAsShot = light == nil
    let isOwn = facts.kind != .whole
    let isGuess = isOwn && conversion.isGuess
    let isDaylight = isOwn && conversion.isDaylight
    let frame = facts.crop ?? Rectangle(left: 0, top: 0, size: facts.size)
    let brightness = ColourMatrix.diagonal(.init(repeating: gain))
    let matrix = brightness.after(conversion.matrix)
    switch facts.kind {
    case .mosaic:
      colourNoise =
        settings.colourNoise == .keep
        ? nil
        : ColourNoise(
          multipliers: conversion.multipliers, matrix: matrix, stated: facts.statedNoise)
      way = .mosaic(
        Mosaic(
          frame: frame,
          pattern: facts.pattern, visible: facts.size,
          multipliers: conversion.multipliers,
          matrix: matrix,
          highlights: settings.highlights))
    case .layers:
      colourNoise = nil
      way = .layers(
        Layers(
          frame: frame, visible: facts.size, multipliers: conversion.multipliers, matrix: matrix,
          highlights: settings.highlights))
    case .interpolated, .whole:
      colourNoise = nil
      let isStated = light == nil && !conversion.isDaylight || conversion.isGuess
      way = .whole(
        Whole(
          multipliers: isStated ? nil : conversion.multipliers,
          matrix: isOwn ? matrix : brightness, frame: facts.crop))
    }
    let assumptions = [
      isDaylight ? "the camera's white balance is unknown, so daylight is assumed" : nil,
      isGuess ? "the colours of \(facts.camera) are unknown, so they are treated as sRGB" : nil,
      light != nil && conversion.isGuess
        ? "the colours of \(facts.camera) are unknown, so the white balance stays as shot" : nil,
      corrections.warning,
    ]
    warnings = assumptions.compactMap(\.self) + facts.warnings
  }

  /// The temperature, in kelvin, for which the tables of a profile are mixed if the temperature of
  /// the light is unknown.
  private static let usualTemperature = 5_000.0
}

extension RawFacts {
  /// True if the file has the picture of a film scanner instead of a sensor's samples.
  ///
  /// LibRaw reduces such pictures to 8 bits of linear light, and not all versions do it alike.
  var isScan: Bool { decoder.hasPrefix("nikon_coolscan_load_raw") }

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

extension PhotoFile {
  /// The header and the recipe for rendering this photo.
  ///
  /// If the recipe names the light in front of the camera, the development of a raw photo balances
  /// white for it, instead of the recipe's step. In the embedded JPEG, the step replaces the
  /// camera's balance.
  func balanced(
    _ header: PhotoHeader, _ recipe: Recipe
  ) throws(RenderError) -> (PhotoHeader, Recipe) {
    guard let raw = header.raw, let light = recipe.cameraLight else { return (header, recipe) }
    var balanced = header
    if case .preview = raw.way {
      if let shot = raw.light { return (header, recipe.rebalancing(from: shot)) }
      balanced.raw?.warnings.append(
        "the light as shot is unknown, so 'kelvin' is applied as if the embedded JPEG were balanced"
          + " for 6500 K")
      return (balanced, recipe)
    }
    if raw.light == nil { return (header, recipe) }
    balanced.raw = try RawDevelopment(self, header.inputs.raw, light: light)
    return (balanced, recipe.withoutCameraLight)
  }
}

extension RawDevelopment {
  /// Facts of the development for `explain`, one in a line.
  var facts: [String] {
    guard let light else { return [] }
    if case .preview = way { return ["white balance of the embedded JPEG: \(light)"] }
    return ["white balance: \(light)" + (isAsShot ? ", as shot" : "")]
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
      facts = try RawFacts(of: photo, isLenient: true)
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
    pages = 1
  }
}
