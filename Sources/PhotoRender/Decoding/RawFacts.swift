import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// The properties of a raw file that `phbatch_rawload` reads from the file's header.
struct RawFacts {
  /// The kind of the picture that `phbatch_rawload` returns, by its field `raw-kind`.
  enum Kind: String {
    /// The samples of a Bayer or X-Trans sensor.
    case mosaic
    /// Three samples for each pixel, from a linear DNG file.
    case layers
    /// Balanced colours of the camera, which LibRaw interpolated.
    case interpolated
    /// Colours with the primaries of sRGB, which LibRaw developed.
    case whole
  }

  /// The camera's maker and model; empty if unknown.
  let camera: String
  /// The name of LibRaw's decoder of the samples.
  let decoder: String
  let kind: Kind
  /// The reason why LibRaw cannot read files of this kind; nil if it can.
  let problem: String?
  /// The reason why this file is damaged; nil if no damage is known.
  let damage: String?
  /// The error for the size or the pixels' shape of a DNG file that LibRaw refuses; nil for others.
  let refusedFrame: RenderError?
  /// True for a DNG file.
  let isDNG: Bool
  /// The bytes of the embedded JPEG; nil if there is none, or if it was not requested.
  let preview: [UInt8]?
  /// The size of the visible area of stored samples, or of the picture that LibRaw develops.
  let size: Size
  let orientation: Orientation
  let colour: CameraColour
  /// The exposure in stops that the DNG file adds; 0 for other files.
  let baselineExposure: Double
  /// The colours of a cell of 2 × 2 pixels, or 6 × 6 for X-Trans, row by row: 0 red, 1 and 3 green,
  /// 2 blue.
  let pattern: [Int]
  /// The sample values of black and of full light, one for each pixel of a cell of 2 × 2 pixels; or
  /// of red, green and blue, if the mosaic has no such cells.
  let black: [Double]
  let white: [Double]
  /// The white balance multipliers that the camera wrote: red, green, blue and the second green.
  let multipliers: [Double]
  /// The part of the visible area that the maker shows; nil if the whole area is shown.
  let crop: Rectangle?
  /// The corrections that the file prescribes.
  let corrections: RawCorrections
  /// The storage of a DNG or CR2 file's samples; nil for other files.
  let storage: SampleStorage?
  /// The tables of a DNG file's colour profile; nil for other files.
  let profile: ColourProfile?

  /// The noise that a DNG file states; nil for other files.
  let statedNoise: SensorNoise?
  /// Warnings about damaged statements of a DNG file.
  let warnings: [String]

  /// True if the file has an embedded JPEG that is complete.
  static func hasPreview(_ photo: PhotoFile) -> Bool {
    (try? RawFacts(of: photo, withPreview: true, isLenient: true))?.preview != nil
  }

  /// Reads the facts.
  ///
  /// - Parameters:
  ///   - photo: The raw file.
  ///   - withPreview: True to read the embedded JPEG.
  ///   - unpacked: True to decode the samples, so that coding errors and measured levels are known.
  ///   - isLenient: True to describe a damaged file by `damage` instead of an error.
  /// - Throws: `VipsError` for a file that ends early or is damaged.
  init(
    of photo: PhotoFile, withPreview: Bool = false, unpacked: Bool = false, isLenient: Bool = false
  ) throws(VipsError) {
    let dng = DNGFile(photo.byteSource)
    storage = dng.map(SampleStorage.init) ?? SampleStorage(canon: photo.byteSource)
    let isUnpacked = unpacked && storage?.problem == nil
    let arguments: [String: Argument] = [
      "source": .source(photo.source()), "preview": .flag(withPreview), "unpack": .flag(isUnpacked),
      "lenient": .flag(isLenient),
    ]
    let image = try Image.calling(
      InputFormat.Loader.raw.operation, arguments.merging(storage?.arguments ?? [:]) { $1 }
    ).image("out")
    isDNG = dng != nil
    let refusal = image.text("raw-problem")
    refusedFrame = refusal == nil ? nil : dng?.refusedFrame
    damage = image.text("raw-damage") ?? refusedFrame?.detail
    // LibRaw finds no JPEG in files that it does not know.
    let embedded =
      image.blob("raw-preview") ?? (withPreview ? RawFile(of: photo.byteSource)?.preview : nil)
    // An incomplete JPEG is none.
    preview = embedded.flatMap { FileEnd.missing(in: .bytes($0)) == nil ? $0 : nil }
    // LibRaw does not name the camera of files that it does not know.
    let named = image.text("raw-camera") ?? ""
    let camera =
      named.isEmpty ? PhotoDetails(Metadata(of: photo.byteSource)).camera ?? "" : named
    self.camera = camera
    decoder = image.text("raw-decoder") ?? ""
    let lists = dng?.opcodeLists ?? []
    let problem = storage?.problem ?? (refusedFrame == nil ? refusal : nil)
    self.problem = problem.map { (camera.isEmpty ? "" : "\(camera): ") + $0 }
    kind = image.text("raw-kind").flatMap(Kind.init) ?? .whole
    size = Size(image.width, image.height)
    let turn = image.integer("orientation") ?? RawFile(of: photo.byteSource)?.orientation
    orientation = turn.flatMap { Orientation(rawValue: $0) } ?? .upright
    pattern = image.integers("raw-pattern")
    black = image.numbers("raw-black")
    white = image.numbers("raw-white")
    // LibRaw adapts the multipliers to layers with different white levels, which are applied here.
    let neutral = kind == .layers ? dng?.neutral : nil
    multipliers = neutral.map { $0.map { 1 / $0 } } ?? image.numbers("raw-multipliers")
    profile = dng.map(ColourProfile.init)
    statedNoise = dng?.noise
    let stops = image.field("raw-exposure")
    let exposure: Double? = if case .number(let value) = stops { value } else { nil }
    baselineExposure = (exposure ?? 0) + (profile?.exposureOffset ?? 0)
    colour = CameraColour(image, asShot: multipliers, statedWhite: dng?.statedWhite)
    corrections = RawCorrections(lists, image, kind)
    let frame = size
    let stated =
      switch kind {
      case .mosaic, .layers: Self.crop(image, dng, frame)
      case .interpolated, .whole: dng?.crop.flatMap { Self.scaled($0, image, frame) }
      }
    crop = corrections.trimmed?.overlap(with: stated) ?? stated
    warnings =
      dng?.warnings(
        hasCrop: dng?.crop != nil && stated != nil, hasExposure: exposure != nil) ?? []
  }

  /// A crop in the pixels of the sensor as a part of the picture that LibRaw develops, whose pixels
  /// are square; nil if it is not a part of the visible area.
  private static func scaled(_ crop: Rectangle, _ image: Image, _ size: Size) -> Rectangle? {
    let visible = image.integers("raw-visible")
    guard visible.count == 2, crop.inside(Size(visible[0], visible[1])) != nil else { return nil }
    func part(_ length: Int, _ whole: Int, _ visible: Int) -> Int {
      Int((Double(length) * Double(whole) / Double(visible)).rounded())
    }
    return Rectangle(
      left: part(crop.left, size.width, visible[0]), top: part(crop.top, size.height, visible[1]),
      size: Size(
        part(crop.size.width, size.width, visible[0]),
        part(crop.size.height, size.height, visible[1]))
    ).inside(size)
  }

  /// The crop that a DNG file states by DefaultCropOrigin and DefaultCropSize, or else the crop in
  /// the maker's notes.
  private static func crop(_ image: Image, _ dng: DNGFile?, _ size: Size) -> Rectangle? {
    // The coordinates in the tags are relative to the active area, which is the area that LibRaw
    // returns.
    if let crop = dng?.crop { return crop.inside(size) }
    let (crop, frame) = (image.integers("raw-crop"), image.integers("raw-frame"))
    guard crop.count == 4, frame.count == 4 else { return nil }
    let rectangle = Rectangle(
      left: crop[0] - frame[0], top: crop[1] - frame[1], size: Size(crop[2], crop[3]))
    return rectangle.inside(size)
  }
}

extension Rectangle {
  /// The rectangle if it lies inside a frame, and is at least half as wide and half as high as the
  /// frame; otherwise nil.
  fileprivate func inside(_ frame: Size) -> Rectangle? {
    guard left >= 0, top >= 0, left + size.width <= frame.width,
      top + size.height <= frame.height, 2 * size.width >= frame.width,
      2 * size.height >= frame.height
    else { return nil }
    return self
  }

  /// The part that is also in `other`; the whole rectangle if there is none, or `other` is nil.
  fileprivate func overlap(with other: Rectangle?) -> Rectangle {
    guard let other else { return self }
    let (x, y) = (max(left, other.left), max(top, other.top))
    let right = min(left + size.width, other.left + other.size.width)
    let bottom = min(top + size.height, other.top + other.size.height)
    if right <= x || bottom <= y { return self }
    return Rectangle(left: x, top: y, size: Size(right - x, bottom - y))
  }
}

extension RawFacts {
  /// The facts in words; each line states one fact.
  ///
  /// The samples are decoded, because some levels are measured on them. The reason why they cannot
  /// be decoded is left out if one of the lines in `known` states it.
  static func lines(of photo: PhotoFile, besides known: [String]) -> [String] {
    func failure(_ reason: String) -> [String] {
      known.contains { $0.contains(reason) } ? [] : ["the samples cannot be decoded: \(reason)"]
    }
    let missing = FileEnd.missingSamples(in: photo.byteSource)
    do throws(VipsError) {
      let facts = try RawFacts(
        of: photo, withPreview: true, unpacked: missing == nil, isLenient: true)
      let lens = PhotoDetails(Metadata(of: photo.byteSource)).lens
      return ((facts.problem ?? missing ?? facts.damage).map(failure) ?? [])
        + facts.lines(lens: lens)
    } catch {
      return failure(error.reason)
    }
  }

  private func lines(lens: String?) -> [String] {
    let isKnown = problem == nil && damage == nil
    var lines: [String] = []
    if !camera.isEmpty {
      lines.append("camera: \(camera)" + (isKnown ? ", coding: \(decoder)" : ""))
    }
    if let lens { lines.append("lens: \(lens)") }
    if isKnown { lines += sampleLines }
    lines.append("embedded JPEG: \(preview.map { "\($0.count) bytes" } ?? "none")")
    return lines
  }

  /// The facts about the samples and their colours.
  private var sampleLines: [String] {
    let conversion = colour.conversion
    let letters = pattern.map { ["R", "G", "B", "G"][$0 & 3] }
    let rows = stride(from: 0, to: letters.count, by: letters.count == 36 ? 6 : 2).map {
      letters[$0...].prefix(letters.count == 36 ? 6 : 2).joined()
    }
    func text(_ numbers: [Double]) -> String { numbers.map(\.short).joined(separator: " ") }
    func text(_ vector: ColourMatrix.Vector) -> String { text([vector.x, vector.y, vector.z]) }
    var lines: [String] = []
    let levels = { "black \(text(Array(black.prefix($0)))), full \(text(Array(white.prefix($0))))" }
    switch kind {
    case .mosaic where rows.count == 6:
      lines.append("sensor: X-Trans, rows \(rows.joined(separator: " ")), \(levels(3))")
    case .mosaic:
      lines.append(
        "sensor: \(rows.joined(separator: " over ")), \(levels(4))")
    case .layers: lines.append("samples: red, green and blue of each pixel, \(levels(3))")
    case .interpolated:
      lines.append("sensor: not a Bayer mosaic, \(levels(3)), interpolated by LibRaw")
    case .whole:
      lines.append(
        isScan
          ? "the picture of a film scanner, rendered as it is"
          : "sensor: not a Bayer mosaic, developed by LibRaw")
    }
    lines.append("multipliers in the file: \(text(multipliers))")
    lines.append("multipliers used: \(text(conversion.multipliers))")
    if let light = conversion.light {
      lines.append((conversion.isDaylight ? "light assumed: " : "light as shot: ") + "\(light)")
    }
    for (index, calibration) in colour.calibrations.enumerated() {
      let light = "\(index + 1), for \(calibration.temperature.short) K"
      lines.append("colour matrix \(light): \(calibration.fromXYZ)")
      if let forward = calibration.forward { lines.append("forward matrix \(light): \(forward)") }
      if calibration.individual != .identity {
        lines.append("camera calibration \(light): \(calibration.individual)")
      }
    }
    if let matrix = colour.fromXYZ, colour.calibrations.isEmpty {
      lines.append("colour matrix of the model, for D65: \(matrix)")
    }
    if colour.analogBalance != .one {
      lines.append("gains before the samples were stored: \(text(colour.analogBalance))")
    }
    lines.append("matrix to linear sRGB: \(conversion.matrix)")
    if baselineExposure != 0 { lines.append("baseline exposure: \(baselineExposure.short) stops") }
    if let tables = profile?.names, !tables.isEmpty {
      lines.append("colour tables: \(tables.joined(separator: ", "))")
    }
    for (index, names) in corrections.names.enumerated() where !names.isEmpty {
      lines.append("opcode list \(index + 1): \(names.joined(separator: ", "))")
    }
    lines += (corrections.warning.map { [$0] } ?? []) + warnings
    lines.append("visible area: \(size), shown: \(crop.map(\.description) ?? "all of it")")
    return lines
  }
}

extension DNGFile {
  /// The camera colour of a neutral object, AsShotNeutral; nil if the file does not state it.
  fileprivate var neutral: [Double]? {
    numbers(50_728).flatMap { $0.count == 3 && $0.allSatisfy { $0 > 1e-4 } ? $0 : nil }
  }

  /// The three lists of opcodes.
  fileprivate var opcodeLists: [DNGOpcodeList] {
    [51_008, 51_009, 51_022].map { DNGOpcodeList(bytes($0)) }
  }
}

extension RawCorrections {
  /// The corrections of a file whose header LibRaw has read.
  fileprivate init(_ lists: [DNGOpcodeList], _ image: Image, _ kind: RawFacts.Kind) {
    let frame = image.integers("raw-frame")
    guard !lists.isEmpty, frame.count == 4 else {
      self.init()
      return
    }
    self.init(
      lists, frame: Size(frame[2], frame[3]),
      visible: Rectangle(left: frame[0], top: frame[1], size: Size(image.width, image.height)),
      kind)
  }
}

extension DNGFile {
  /// The white, with Y = 1, that the tag AsShotWhiteXY states; nil if the file has no such tag, or
  /// states the neutral colour of the camera instead.
  fileprivate var statedWhite: ColourMatrix.Vector? {
    guard numbers(50_728) == nil, let xy = numbers(50_729), xy.count == 2, xy[0] > 0.01,
      xy[1] > 0.01, xy[0] + xy[1] < 1
    else { return nil }
    return .init(xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1])
  }
}

extension CameraColour {
  fileprivate init(_ image: Image, asShot: [Double], statedWhite: ColourMatrix.Vector?) {
    func vector(_ numbers: [Double]) -> ColourMatrix.Vector? {
      guard numbers.count >= 3, numbers.prefix(3).allSatisfy({ $0 > 0 }) else { return nil }
      return ColourMatrix.Vector(numbers[0], numbers[1], numbers[2])
    }
    func matrix(_ name: String) -> ColourMatrix? {
      let n = image.numbers(name)
      guard n.count == 9, n.contains(where: { $0 != 0 }) else { return nil }
      return ColourMatrix(
        .init(n[0], n[1], n[2]), .init(n[3], n[4], n[5]), .init(n[6], n[7], n[8]))
    }
    let isDNG = image.integer("raw-is-dng") == 1
    let calibrations = [1, 2].compactMap { number -> Calibration? in
      guard isDNG, let colours = matrix("raw-colour-\(number)") else { return nil }
      return Calibration(
        illuminant: image.integer("raw-illuminant-\(number)") ?? 0, fromXYZ: colours,
        forward: matrix("raw-forward-\(number)"),
        individual: matrix("raw-calibration-\(number)") ?? .identity)
    }
    self.init(
      asShot: statedWhite == nil ? vector(asShot) : nil, statedWhite: statedWhite,
      daylight: vector(image.numbers("raw-daylight")),
      fromXYZ: matrix("raw-xyz"), calibrations: calibrations,
      analogBalance: vector(image.numbers("raw-analog")) ?? .one)
  }
}

extension Image {
  fileprivate func numbers(_ name: String) -> [Double] {
    if case .numbers(let values) = field(name) { values } else { [] }
  }

  fileprivate func integers(_ name: String) -> [Int] {
    if case .integers(let values) = field(name) { values } else { [] }
  }
}
