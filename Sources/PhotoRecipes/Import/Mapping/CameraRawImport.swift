/// Camera Raw's settings as a recipe.
///
/// Its formulas are not published; the scales are chosen so that the ends of sliders look alike.
/// Steps stand in Camera Raw's own order: geometry, light, colour, detail, effects.
/// - Source: Adobe, XMP Specification Part 2, "Camera Raw namespace", and the settings that Camera
///   Raw 17 writes.
struct CameraRawImport {
  private var settings: ForeignSettings
  private let lists: [String: XMPPacket.Value]
  private let packet: XMPPacket
  private var draft = RecipeDraft()

  static func draft(of packet: XMPPacket) throws(ForeignFileError) -> RecipeDraft {
    guard
      packet.hasCameraRawSettings
        || packet.properties.keys.contains(where: { $0.isCameraRaw && $0.local.hasSuffix("2012") })
    else {
      throw packet.hasDarktableHistory ? .unknownEditor("org.darktable") : .noSettings
    }
    var reader = CameraRawImport(packet)
    reader.geometry()
    reader.lens()
    reader.whiteBalance()
    reader.tone()
    reader.curves()
    reader.colour()
    reader.greys()
    reader.grading()
    reader.detail()
    reader.effects()
    reader.leftovers()
    return reader.draft
  }

  private init(_ packet: XMPPacket) {
    self.packet = packet
    let own = packet.properties.filter { $0.key.isCameraRaw }
    let values = own.map { ($0.key.local, $0.value) }
    lists = Dictionary(values.filter { $0.1.text == nil }) { first, _ in first }
    settings = ForeignSettings(
      Dictionary(values.compactMap { pair in pair.1.text.map { (pair.0, $0) } }) { first, _ in
        first
      })
  }

  private static let alike = "Camera Raw's own formula is not known"

  private mutating func scale<F: Filter>(
    _ name: String, by factor: Double, _ type: F.Type, _ path: WritableKeyPath<F, Double>,
    _ reason: String = alike
  ) {
    settings.scale(name, by: factor, type, path, into: &draft, reason)
  }

  // MARK: Geometry

  private mutating func geometry() {
    let names = ["CropLeft", "CropTop", "CropRight", "CropBottom"]
    let edges = names.map { settings.number($0) }
    let slant = settings.number("CropAngle") ?? 0
    guard settings.flag("HasCrop"), let left = edges[0], let top = edges[1],
      let right = edges[2], let bottom = edges[3]
    else { return }
    let aspect = aspect
    let orientation =
      packet[XMPNamespace.tiff, "Orientation"]?.text.flatMap { Int($0) }
      .flatMap(Orientation.init) ?? .upright
    let crop = TurnedCrop(
      left: left, top: top, right: right, bottom: bottom, slant: slant, aspect: aspect ?? 1.5
    ).upright(orientation)
    let value = "\([left, top, right, bottom].map(\.brief).joined(separator: " ")), \(slant.brief)°"
    guard crop.isUsable else {
      draft.drop("Crop", value, "the rectangle is empty")
      return
    }
    crop.append(to: &draft)
    if slant == 0 {
      draft.keep("Crop", value, CropFilter.name, "the same part of the photo")
    } else if aspect == nil {
      draft.approximate(
        "Crop", value, CropFilter.name,
        "the file does not say the photo's shape; 3:2 is assumed")
    } else {
      draft.keep("Crop", value, CropFilter.name, "the same turned part of the photo")
    }
  }

  /// Width by height of the stored pixels.
  private var aspect: Double? {
    func number(_ namespace: String, _ name: String) -> Double? {
      packet[namespace, name]?.text.flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    if let width = number(XMPNamespace.tiff, "ImageWidth"),
      let height = number(XMPNamespace.tiff, "ImageLength")
    {
      return width / height
    }
    if let width = number(XMPNamespace.exif, "PixelXDimension"),
      let height = number(XMPNamespace.exif, "PixelYDimension")
    {
      return width / height
    }
    return nil
  }

  private mutating func lens() {
    let midpoint = settings.number("VignetteMidpoint") ?? 50
    vignette("VignetteAmount", midpoint: midpoint, feather: 50)
  }

  // MARK: Light

  private mutating func whiteBalance() {
    let mode = settings.take("WhiteBalance") ?? "As Shot"
    let temperature = settings.number("IncrementalTemperature") ?? 0
    let tint = settings.number("IncrementalTint") ?? 0
    let kelvin = (settings.take("Temperature"), settings.take("Tint"))
    if temperature != 0 || tint != 0 {
      let held = draft.add(WhiteBalance.self) {
        $0.temperature = 1e6 / (1e6 / 6500 - 0.7 * temperature)
        $0.tint = tint
      }
      draft.approximate(
        "IncrementalTemperature, IncrementalTint", "\(temperature), \(tint)", WhiteBalance.name,
        Self.alike + held)
    } else if mode != "As Shot", let value = kelvin.0 {
      draft.drop(
        "Temperature, Tint", "\(value), \(kelvin.1 ?? "0")",
        "a raw file's white balance counts from the camera's own, which the file does not say")
    }
  }

  private mutating func tone() {
    scale(
      "Exposure2012", by: 1, Exposure.self, \.stops,
      "the same stops; Camera Raw also rolls off the highlights")
    scale("Contrast2012", by: 0.006, Contrast.self, \.amount)
    scale("Highlights2012", by: 0.01, Highlights.self, \.amount)
    scale("Shadows2012", by: 0.01, Shadows.self, \.amount)
    scale("Whites2012", by: 0.01, Whites.self, \.amount)
    scale("Blacks2012", by: 0.01, Blacks.self, \.amount)
    // Process versions 1 and 2, of before 2012; newer files leave these at their defaults.
    guard settings.rest.keys.contains("Exposure") else { return }
    scale("Exposure", by: 1, Exposure.self, \.stops)
    scale("HighlightRecovery", by: -0.01, Highlights.self, \.amount)
    scale("FillLight", by: 0.01, Shadows.self, \.amount)
    scale("Shadows", by: -0.01, Blacks.self, \.amount)
    scale("Brightness", by: 0.002, Brightness.self, \.amount)
    scale("Contrast", by: 0.006, Contrast.self, \.amount)
  }

  private mutating func curves() {
    parametricCurve()
    let suffix = lists.keys.contains { $0.hasPrefix("ToneCurvePV2012") } ? "PV2012" : ""
    let names = ["", "Red", "Green", "Blue"].map { "ToneCurve\(suffix)\($0)" }
    let curves = names.map { name in CurvePoints(points(name)) }
    guard curves.contains(where: { $0 != nil }) else { return }
    draft.add(Curves.self) {
      $0.rgb = curves[0] ?? .identity
      $0.red = curves[1] ?? .identity
      $0.green = curves[2] ?? .identity
      $0.blue = curves[3] ?? .identity
    }
    for (name, curve) in zip(names, curves) where curve != nil {
      draft.approximate(
        name, "\(points(name).count) points", Curves.name,
        "the same points; Camera Raw bends its own wide colour space along them")
    }
  }

  private func points(_ name: String) -> [(x: Double, y: Double)] {
    (lists[name]?.array ?? []).compactMap { item in
      let parts = item.text?.split(separator: ",") ?? []
      let numbers = parts.compactMap { Double($0.filter { !$0.isWhitespace }) }
      return numbers.count == 2 ? (numbers[0] / 255, numbers[1] / 255) : nil
    }
  }

  /// Four ranges between three splits, each lifted or lowered in its middle.
  private mutating func parametricCurve() {
    let names = ["Shadows", "Darks", "Lights", "Highlights"].map { "Parametric\($0)" }
    let amounts = names.map { settings.number($0) ?? 0 }
    let splits = zip(["Shadow", "Midtone", "Highlight"], [25.0, 50, 75]).map { name, standard in
      (settings.number("Parametric\(name)Split") ?? standard) / 100
    }
    guard amounts.contains(where: { $0 != 0 }) else { return }
    let bounds = [0] + splits + [1]
    var points: [(x: Double, y: Double)] = [(0, 0)]
    for (index, amount) in amounts.enumerated() {
      let x = (bounds[index] + bounds[index + 1]) / 2
      points.append((x, x + 0.0012 * amount))
    }
    points.append((1, 1))
    guard let curve = CurvePoints(points) else { return }
    draft.add(Curves.self) { $0.rgb = curve }
    for (name, amount) in zip(names, amounts) where amount != 0 {
      draft.approximate(name, "\(amount.brief)", Curves.name, Self.alike)
    }
  }

  // MARK: Colour

  private mutating func colour() {
    scale("Vibrance", by: 0.01, Vibrance.self, \.amount)
    scale("Saturation", by: 0.01, Saturation.self, \.amount)
    hsl(["HueAdjustment", "SaturationAdjustment", "LuminanceAdjustment"])
  }

  private static let colours: [(name: String, path: Setting<HSL>.Path<HSL.Change>)] =
    [
      ("Red", \.red), ("Orange", \.orange), ("Yellow", \.yellow), ("Green", \.green),
      ("Aqua", \.aqua), ("Blue", \.blue), ("Purple", \.purple), ("Magenta", \.magenta),
    ]

  /// Eight colours by hue, saturation and luminance; the colours are ours.
  private mutating func hsl(_ groups: [String]) {
    var filter = HSL()
    var used: [(name: String, value: Double)] = []
    for colour in Self.colours {
      let values = groups.map { settings.number($0 + colour.name) ?? 0 }
      for (group, value) in zip(groups, values) where value != 0 {
        used.append((group + colour.name, value))
      }
      let amounts = Array(repeating: 0, count: 3 - values.count) + values.map { $0 / 100 }
      filter[keyPath: colour.path] = HSL.Change(
        hue: amounts[0], saturation: amounts[1], luminance: amounts[2])
    }
    guard !used.isEmpty else { return }
    let held = draft.add(HSL.self) { $0 = filter }
    for (name, value) in used {
      draft.approximate(name, value.brief, HSL.name, Self.alike + held)
    }
  }

  /// A grey photo: each colour's brightness in it, then no colour.
  private mutating func greys() {
    let isMonochrome = settings.take("Treatment") == "Monochrome"
    let isGrey = settings.flag("ConvertToGrayscale") || isMonochrome
    guard isGrey else {
      settings.ignore { $0.hasPrefix("GrayMixer") }
      return
    }
    hsl(["GrayMixer"])
    draft.add(BlackAndWhite.self) { _ in }
    draft.approximate("ConvertToGrayscale", "True", BlackAndWhite.name, Self.alike)
  }

  private mutating func grading() {
    func number(_ name: String) -> Double { settings.number(name) ?? 0 }
    let shadows = (number("SplitToningShadowHue"), number("SplitToningShadowSaturation"))
    let highlights = (number("SplitToningHighlightHue"), number("SplitToningHighlightSaturation"))
    let newShadows = (number("ColorGradeShadowHue"), number("ColorGradeShadowSat"))
    let newHighlights = (number("ColorGradeHighlightHue"), number("ColorGradeHighlightSat"))
    let balance = number("SplitToningBalance") + number("ColorGradeBalance")
    let dark = newShadows.1 != 0 ? newShadows : shadows
    let bright = newHighlights.1 != 0 ? newHighlights : highlights
    if dark.1 != 0 || bright.1 != 0 {
      let held = draft.add(SplitTone.self) {
        ($0.shadowsHue, $0.shadowsSaturation) = (dark.0, dark.1 / 100)
        ($0.highlightsHue, $0.highlightsSaturation) = (bright.0, bright.1 / 100)
        $0.balance = balance / 100
      }
      let value = "\(dark.0.brief)° \(dark.1.brief), \(bright.0.brief)° \(bright.1.brief)"
      draft.approximate("SplitToning", value, SplitTone.name, Self.alike + held)
    }
    let midtones = (number("ColorGradeMidtoneHue"), number("ColorGradeMidtoneSat"))
    let levels = ["Shadow", "Midtone", "Highlight"].map { number("ColorGrade\($0)Lum") / 100 }
    guard midtones.1 != 0 || levels.contains(where: { $0 != 0 }) else { return }
    let held = draft.add(ColourBalance.self) {
      ($0.midtones.hue, $0.midtones.strength) = (midtones.0, midtones.1 / 200)
      ($0.shadows.level, $0.midtones.level) = (levels[0] / 2, levels[1] / 2)
      $0.highlights.level = levels[2] / 2
    }
    let value = "\(midtones.0.brief)° \(midtones.1.brief), \(levels.map(\.brief))"
    draft.approximate("ColorGrade", value, ColourBalance.name, Self.alike + held)
  }

  // MARK: Detail and effects

  private mutating func detail() {
    let luma = settings.number("LuminanceSmoothing") ?? 0
    let chroma = settings.number("ColorNoiseReduction") ?? 0
    let detail = settings.number("LuminanceNoiseReductionDetail") ?? 50
    if luma != 0 || chroma != 0 {
      let held = draft.add(Denoise.self) {
        ($0.luma, $0.chroma, $0.detail) = (luma / 200, chroma / 200, detail / 100)
      }
      draft.approximate(
        "LuminanceSmoothing, ColorNoiseReduction", "\(luma.brief), \(chroma.brief)",
        Denoise.name, Self.alike + held)
    }
    scale("Texture", by: 0.01, Texture.self, \.amount)
    scale("Clarity2012", by: 0.01, Clarity.self, \.amount)
    scale("Clarity", by: 0.01, Clarity.self, \.amount)
    scale("Dehaze", by: 0.01, Dehaze.self, \.amount)
    let radius = settings.number("SharpenRadius") ?? 1
    let masking = settings.number("SharpenEdgeMasking") ?? 0
    guard let amount = settings.number("Sharpness"), amount != 0 else { return }
    let held = draft.add(Sharpen.self) {
      ($0.amount, $0.radius, $0.edges) = (amount / 100, 0.8 * radius, masking / 100)
    }
    draft.approximate("Sharpness", amount.brief, Sharpen.name, Self.alike + held)
  }

  private mutating func effects() {
    vignette(
      "PostCropVignetteAmount", midpoint: settings.number("PostCropVignetteMidpoint") ?? 50,
      feather: settings.number("PostCropVignetteFeather") ?? 50)
    let size = settings.number("GrainSize") ?? 25
    guard let amount = settings.number("GrainAmount"), amount != 0 else { return }
    let held = draft.add(GrainFilter.self) {
      ($0.amount, $0.size) = (amount / 100, 1 + size / 25)
    }
    draft.approximate("GrainAmount", amount.brief, GrainFilter.name, Self.alike + held)
  }

  private mutating func vignette(_ name: String, midpoint: Double, feather: Double) {
    guard let amount = settings.number(name), amount != 0 else { return }
    let held = draft.add(Vignette.self) {
      $0.intensity = 0.8 * amount / 100
      ($0.radius, $0.falloff) = (0.4 + 0.5 * midpoint / 100, 0.2 + 0.8 * feather / 100)
    }
    draft.approximate(name, amount.brief, Vignette.name, Self.alike + held)
  }

  // MARK: What is left

  /// Settings that only say how others are meant, or nothing about the photo.
  private static let silent = [
    "Version", "ProcessVersion", "Has", "AlreadyApplied", "RawFileName", "Name", "Group", "UUID",
    "Cluster", "Supports", "Require", "PresetType", "Crop", "ToneCurveName", "AutoWhiteVersion",
    "AutoToneDigest", "AutoBrightness", "AutoContrast", "AutoExposure", "AutoShadows",
    "LensProfileSetup", "LensProfileDigest", "LensProfileName", "LensProfileFilename",
    "VignetteMidpoint", "DefringePurpleHue", "DefringeGreenHue", "PerspectiveScale",
    "UprightVersion", "UprightCenter", "UprightFocal", "UprightPreview", "UprightTransformCount",
    "UprightFourSeg", "ContactInfo", "CameraProfileDigest", "CameraModelRestriction", "SortName",
    "ShortName", "Description", "Copyright", "Amount", "CompatibleVersion", "GrainSeed",
    "OverrideLookVignette", "HDRMaxValue", "SDR",
  ]

  /// Settings of a setting, with the value that says nothing; without their main one none does.
  private static let fine: [(name: String, standard: Double, main: String)] = [
    ("SharpenDetail", 25, "Sharpness"),
    ("LuminanceNoiseReductionContrast", 0, "LuminanceSmoothing"),
    ("ColorNoiseReductionDetail", 50, "LuminanceSmoothing"),
    ("ColorNoiseReductionSmoothness", 50, "LuminanceSmoothing"),
    ("PostCropVignetteRoundness", 0, "PostCropVignetteAmount"),
    ("PostCropVignetteStyle", 1, "PostCropVignetteAmount"),
    ("PostCropVignetteHighlightContrast", 0, "PostCropVignetteAmount"),
    ("GrainFrequency", 50, "GrainAmount"),
    ("ColorGradeBlending", 50, "SplitToning"),
  ]

  private mutating func fineSettings() {
    for setting in Self.fine {
      guard let value = settings.number(setting.name), value != setting.standard,
        draft.notes.contains(where: { $0.setting.hasPrefix(setting.main) })
      else { continue }
      draft.drop(
        setting.name, value.brief, "no filter has so fine a setting of \(setting.main)")
    }
  }

  private mutating func leftovers() {
    if packet.isAlreadyApplied {
      draft.drop(
        "AlreadyApplied", "True",
        "the photo beside this file shows the settings already; use the recipe on its original")
    }
    fineSettings()
    settings.ignore { name in Self.silent.contains { name.hasPrefix($0) } }
    for (name, value) in settings.rest.sorted(by: { $0.key < $1.key })
    where !value.isNeutralSetting {
      draft.drop(name, value, Self.reason(name))
    }
    for name in lists.keys.sorted() where !Self.isSilent(list: name) {
      let isEmpty = lists[name]?.array?.isEmpty ?? false
      if !isEmpty { draft.drop(name, "a list", Self.reason(name)) }
    }
  }

  private static func isSilent(list name: String) -> Bool {
    name.hasPrefix("ToneCurve") || silent.contains { name.hasPrefix($0) }
  }

  private static func reason(_ name: String) -> String {
    let families: [(String, String)] = [
      ("Perspective", "phbatch has no upright correction"),
      ("Upright", "phbatch has no upright correction"),
      ("Lens", "phbatch has no lens profiles"),
      ("CameraProfile", "a camera's profile applies to raw data only"),
      ("Look", "Adobe's looks are not published"),
      ("LookTable", "Adobe's looks are not published"),
      ("RGBTable", "Adobe's looks are not published"),
      ("Defringe", "phbatch does not remove coloured fringes"),
      ("RetouchInfo", "phbatch does not retouch"), ("RetouchAreas", "phbatch does not retouch"),
      ("RedEye", "phbatch does not retouch"),
      ("GradientBased", "local corrections are not read"),
      ("CircularGradientBased", "local corrections are not read"),
      ("PaintBased", "local corrections are not read"),
      ("MaskGroupBased", "local corrections are not read"),
      ("ColorGradeGlobal", "no filter tones all of the photo alike"),
    ]
    return families.first { name.hasPrefix($0.0) }?.1 ?? "no filter does this"
  }
}

extension MarkupName {
  fileprivate var isCameraRaw: Bool { namespace == XMPNamespace.cameraRaw }
}
