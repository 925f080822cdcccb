import Glibc
import PhotoRecipes

/// Converts a RawTherapee profile into a recipe.
///
/// The steps are in the order of RawTherapee's pipeline: geometry, exposure, Lab adjustments,
/// detail. Each scale factor was chosen to minimise the mean ΔE2000 between the results of phbatch
/// and rawtherapee-cli 5.9 on a photo, with one setting at a time. The remaining mean ΔE2000 is 0.1
/// for exposure, 0.6 for chromaticity, and 1.3 to 3.2 for the other settings. Two values have a
/// higher ΔE2000: a contrast of −60 (4.2), and a local contrast of 0.5 (4.0), where no amount of
/// `clarity` gives a lower one.
/// - Source: RawTherapee 5.9, `rtengine/procparams.cc`, for groups, keys and defaults.
struct RawTherapeeImport {
  /// The settings by group and key, such as `Exposure.Compensation`.
  var settings: ForeignSettings
  /// The groups of the profile that have not been converted yet.
  private(set) var others: Set<String>
  var draft = RecipeDraft()
  /// True if the settings belong to a raw photo.
  let isOfRawPhoto: Bool
  let photo: SettingsPhoto

  static func draft(
    of profile: ProcessingProfile, isOfRawPhoto: Bool, photo: SettingsPhoto = SettingsPhoto()
  ) throws(ForeignFileError) -> RecipeDraft {
    guard profile.hasSettings else { throw .noSettings }
    var reader = RawTherapeeImport(profile, isOfRawPhoto, photo)
    if isOfRawPhoto { reader.draft.selectRaw() }
    reader.lens()
    reader.geometry()
    reader.whiteBalance()
    reader.gain()
    reader.exposure()
    reader.lab()
    reader.colour()
    reader.greys()
    reader.detail()
    reader.vignette()
    reader.leftovers()
    return reader.draft
  }

  private init(
    _ profile: ProcessingProfile, _ isOfRawPhoto: Bool, _ photo: SettingsPhoto
  ) {
    (self.isOfRawPhoto, self.photo) = (isOfRawPhoto, photo)
    others = Set(profile.groups.keys)
    let stated = profile.groups.flatMap { group, values in
      values.map { ("\(group).\($0.key)", $0.value) }
    }
    settings = ForeignSettings(Self.defaults.merging(stated) { $1 })
  }

  private static let alike = "RawTherapee uses another formula"

  /// Removes a group from `others`; returns true if the profile has the group and it is switched
  /// on.
  mutating func takes(_ group: String) -> Bool {
    guard others.remove(group) != nil else { return false }
    let switchName = "\(group).Enabled"
    if settings.rest[switchName] == nil || settings.flag(switchName) { return true }
    settings.ignore { $0.hasPrefix("\(group).") }
    return false
  }

  private mutating func scale<F: Filter>(
    _ name: String, by factor: SliderScale, _ type: F.Type, _ path: WritableKeyPath<F, Double>
  ) {
    settings.scale(name, by: factor, type, path, into: &draft, Self.alike)
  }

  private mutating func whiteBalance() {
    guard takes("White Balance"),
      let mode = settings.take("White Balance.Setting"), mode != "Camera"
    else { return }
    let kelvin = settings.number("White Balance.Temperature")
    let green = settings.number("White Balance.Green") ?? 1
    // The automatic modes are `autold`, `autitcgreen` and, of older versions, `Auto`.
    guard !mode.lowercased().hasPrefix("aut"), let kelvin, kelvin > 0, green > 0 else {
      return draft.drop("White Balance", mode, "RawTherapee does not state the light that it finds")
    }
    let held = draft.add(WhiteBalance.self) {
      $0.kelvin = kelvin
      $0.tint = Self.tint(green: green)
    }
    draft.approximate(
      "White Balance", "\(mode), \(kelvin.short) K, green \(green.short)", WhiteBalance.name,
      "nearly the same light, by the camera's own matrices" + held)
  }

  /// The tint of the light that `Green` describes: the factor by which the photo becomes greener,
  /// because the light has less green.
  ///
  /// With a tint of 1 more, the ratio of the light's green to the geometric mean of its red and
  /// blue, in linear sRGB, is greater by 0.61 % at 5000 K, by 0.57 % at 6500 K, and by 0.71 % at
  /// 4000 K.
  private static func tint(green: Double) -> Double { -log(green) / 0.006 }

  /// Converts the factor by which RawTherapee multiplies the samples of the sensor.
  private mutating func gain() {
    guard let factor = settings.number("RAW.PreExposure"), factor != 1 else { return }
    guard isOfRawPhoto, factor > 0 else {
      return draft.drop(
        "RAW.PreExposure", factor.short,
        isOfRawPhoto
          ? "the factor must be above 0"
          : "this applies to raw photos, and no raw photo is beside the file")
    }
    let held = draft.add(Exposure.self) { $0.stops = log2(factor) }
    draft.approximate(
      "RAW.PreExposure", factor.short, Exposure.name,
      "the same gain, but after the mosaic is interpolated" + held)
  }

  private mutating func exposure() {
    guard takes("Exposure") else { return }
    let compression = settings.number("Exposure.HighlightCompr") ?? 0
    _ = (settings.take("Exposure.HighlightComprThreshold"), settings.take("Exposure.ShadowCompr"))
    light(settings.number("Exposure.Compensation") ?? 0, compression: compression)
    black(settings.number("Exposure.Black") ?? 0)
    if let value = settings.number("Exposure.Brightness"), value != 0 {
      let held = draft.add(Gamma.self) { $0.gamma = exp2(0.02 * value) }
      draft.approximate("Exposure.Brightness", value.short, Gamma.name, Self.alike + held)
    }
    scale("Exposure.Contrast", by: SliderScale(0.015, below: 0.025), Contrast.self, \.amount)
    scale("Exposure.Saturation", by: 0.01, Saturation.self, \.amount)
    // RawTherapee fits the first curve to the embedded JPEG, as the look `camera` does.
    if isOfRawPhoto, settings.flag("Exposure.HistogramMatching") {
      let curve = settings.take("Exposure.Curve") ?? ""
      draft.drop("Exposure.HistogramMatching, Exposure.Curve", "true, \(curve)", RecipeDraft.look)
    }
    for name in ["Exposure.Curve", "Exposure.Curve2"] {
      curve(name, "RawTherapee applies the curve in its own colour space")
    }
    drop(
      "Exposure",
      standard: ["Clip", "CurveMode", "CurveMode2", "ClampOOG", "CurveFromHistogramMatching"])
  }

  /// Converts exposure and highlight compression.
  ///
  /// Both programs apply the same gain in linear light. RawTherapee clips light above white unless
  /// it compresses it.
  private mutating func light(_ stops: Double, compression: Double) {
    let held = draft.add(Exposure.self) { $0.stops = stops }
    guard compression != 0 else {
      if stops == 0 { return }
      var clipping = ""
      if stops > 0, isOfRawPhoto {
        clipping = "; RawTherapee clips the highlights, which the look of raw photos compresses"
      } else if stops > 0 {
        draft.clipHighlights()
        clipping = "; RawTherapee clips the highlights in its own wide colour space"
      }
      return draft.keep(
        "Exposure.Compensation", stops.short, Exposure.name, "the same change in stops",
        except: clipping + held)
    }
    let limit = draft.add(Highlights.self) { $0.amount = -compression / 500 }
    draft.approximate(
      "Exposure.Compensation, Exposure.HighlightCompr", "\(stops.short), \(compression.short)",
      Highlights.name,
      "the same change in stops; phbatch compresses the highlights with another curve" + held
        + limit)
  }

  /// Converts the black point; the value 65,535 is white.
  private mutating func black(_ value: Double) {
    guard value != 0 else { return }
    if value > 0 {
      // Black must be below white.
      let highest = 0.999
      draft.add(Levels.self) { $0.black = min(value / 30_000, highest) }
      draft.approximate(
        "Exposure.Black", value.short, Levels.name,
        Self.alike + (value / 30_000 > highest ? "; limited to \(highest.short)" : ""))
    } else {
      let held = draft.add(Blacks.self) { $0.amount = -value / 5_000 }
      draft.approximate("Exposure.Black", value.short, Blacks.name, Self.alike + held)
    }
  }

  private mutating func lab() {
    guard takes("Luminance Curve") else { return }
    scale("Luminance Curve.Brightness", by: 0.005, Brightness.self, \.amount)
    scale(
      "Luminance Curve.Contrast", by: SliderScale(0.012, below: 0.02), Contrast.self, \.amount)
    scale("Luminance Curve.Chromaticity", by: 0.01, Saturation.self, \.amount)
    curve(
      "Luminance Curve.LCurve",
      "RawTherapee applies the curve to L*, phbatch to red, green and blue")
    drop(
      "Luminance Curve", standard: ["LCredsk", "AvoidColorShift", "Gamutmunselmethod"])
  }

  private mutating func colour() {
    if takes("Vibrance") {
      scale("Vibrance.Pastels", by: 0.016, Vibrance.self, \.amount)
      scale("Vibrance.Saturated", by: 0.005, Saturation.self, \.amount)
      drop(
        "Vibrance",
        standard: ["PSThreshold", "ProtectSkins", "AvoidColorShift", "PastSatTog"])
    }
    if takes("RGB Curves") {
      let names = ["rCurve", "gCurve", "bCurve"]
      let written = names.map { settings.take("RGB Curves.\($0)") ?? "" }
      let curves = written.map { CurvePoints(profile: $0) }
      if curves.contains(where: { $0 != nil }) {
        draft.add(Curves.self) {
          $0.red = curves[0] ?? .identity
          $0.green = curves[1] ?? .identity
          $0.blue = curves[2] ?? .identity
        }
      }
      for (name, text) in zip(names, written) where !text.isNeutralCurve {
        noteCurve("RGB Curves.\(name)", text, Self.alike)
      }
      if written.contains(where: { !$0.isNeutralCurve }) { drop("RGB Curves", standard: []) }
    }
    guard takes("Channel Mixer") else { return }
    // Older profiles state the values in per cent; profiles since version 350 state them in tenths
    // of a per cent. A value above 200 shows that the values are in tenths.
    let rows = ["Red", "Green", "Blue"].map { settings.numbers("Channel Mixer.\($0)") ?? [] }
    guard rows.allSatisfy({ $0.count == 3 }) else {
      if rows.contains(where: { !$0.isEmpty }) {
        draft.drop("Channel Mixer", "\(rows)", "each of the three channels needs three factors")
      }
      return
    }
    let unit = rows.joined().contains { abs($0) > 200 } ? 1_000.0 : 100
    func mixture(_ row: Int) -> ChannelMixer.Mixture {
      ChannelMixer.Mixture(
        red: rows[row][0] / unit, green: rows[row][1] / unit, blue: rows[row][2] / unit)
    }
    let held = draft.add(ChannelMixer.self) {
      ($0.red, $0.green, $0.blue) = (mixture(0), mixture(1), mixture(2))
    }
    let value = rows.map { $0.map(\.short).joined(separator: " ") }.joined(separator: ", ")
    draft.approximate(
      "Channel Mixer", value, ChannelMixer.name,
      "the same factors, applied to sRGB's primaries instead of the camera's" + held)
  }

  private mutating func greys() {
    guard takes("Black & White") else { return }
    let method = settings.take("Black & White.Method") ?? "Desaturation"
    let names = ["MixerRed", "MixerGreen", "MixerBlue"]
    let weights = names.map { settings.number("Black & White.\($0)") ?? 0 }
    let sum = weights.reduce(0, +)
    let usesWeights = method == "ChannelMixer" && sum >= 10
    let held = draft.add(BlackAndWhite.self) {
      guard usesWeights else { return }
      ($0.red, $0.green, $0.blue) = (weights[0] / sum, weights[1] / sum, weights[2] / sum)
    }
    draft.approximate(
      "Black & White", method, BlackAndWhite.name,
      (usesWeights || method == "Desaturation" ? Self.alike : "the weights are not imported")
        + held)
    let others = ["Orange", "Yellow", "Cyan", "Magenta", "Purple"].map { "Mixer\($0)" }
    drop(
      "Black & White",
      standard: others + [
        "Setting", "Filter", "Algorithm", "ComplementaryColors", "BeforeCurveMode",
        "AfterCurveMode",
      ])
  }

  private mutating func detail() {
    if takes("Shadows & Highlights") {
      scale("Shadows & Highlights.Highlights", by: -0.012, Highlights.self, \.amount)
      scale("Shadows & Highlights.Shadows", by: 0.01, Shadows.self, \.amount)
    }
    if takes("Dehaze") {
      scale("Dehaze.Strength", by: 0.012, Dehaze.self, \.amount)
    }
    if takes("Directional Pyramid Denoising") {
      let luma = settings.number("Directional Pyramid Denoising.Luma") ?? 0
      let chroma = settings.number("Directional Pyramid Denoising.Chroma") ?? 15
      let detail = settings.number("Directional Pyramid Denoising.Ldetail") ?? 0
      let held = draft.add(Denoise.self) {
        ($0.luma, $0.chroma, $0.detail) = (luma / 200, chroma / 200, detail / 100)
      }
      draft.approximate(
        "Directional Pyramid Denoising", "luma \(luma.short), chroma \(chroma.short)",
        Denoise.name, Self.alike + held)
    }
    if takes("Local Contrast") {
      scale("Local Contrast.Amount", by: 1.5, Clarity.self, \.amount)
    }
    if takes("SharpenMicro") {
      scale("SharpenMicro.Strength", by: 0.01, Texture.self, \.amount)
    }
    guard takes("Sharpening") else { return }
    let method = settings.take("Sharpening.Method") ?? "usm"
    let radius = settings.number("Sharpening.Radius") ?? 0.5
    let amount = settings.number("Sharpening.Amount") ?? 200
    guard method == "usm" else {
      draft.drop(
        "Sharpening", method, "phbatch does not import deconvolution; see the filter deconvolve")
      return
    }
    let held = draft.add(Sharpen.self) { ($0.amount, $0.radius) = (amount / 100, .pixels(radius)) }
    draft.approximate(
      "Sharpening", "\(amount.short), radius \(radius.short)", Sharpen.name,
      Self.alike + held)
    drop(
      "Sharpening",
      standard: [
        "Contrast", "BlurRadius", "Threshold", "EdgedetectionRadius", "EdgeTolerance",
        "HalocontrolAmount", "DeconvRadius", "DeconvAmount", "DeconvDamping", "DeconvIterations",
      ])
  }

  /// Converts the vignette.
  ///
  /// `Strength` is in stops at the corners; positive values darken.
  private mutating func vignette() {
    guard takes("PCVignette"), let stops = settings.number("PCVignette.Strength"), stops != 0
    else { return }
    let feather = settings.number("PCVignette.Feather") ?? 50
    let held = draft.add(Vignette.self) {
      $0.intensity = exp2(-stops) - 1
      $0.falloff = 0.2 + 0.8 * feather / 100
    }
    draft.approximate(
      "PCVignette.Strength", stops.short, Vignette.name,
      "the same change in stops in the corners, with another falloff" + held)
  }

  private mutating func curve(_ setting: String, _ reason: String) {
    guard let text = settings.take(setting), !text.isNeutralCurve else { return }
    if let curve = CurvePoints(profile: text) { draft.add(Curves.self) { $0.rgb = curve } }
    noteCurve(setting, text, reason)
  }

  private mutating func noteCurve(_ setting: String, _ text: String, _ reason: String) {
    if text.first == "2" {
      draft.drop(setting, text, "a parametric curve has no points")
    } else if CurvePoints(profile: text) != nil {
      draft.approximate(setting, text, Curves.name, "the same points; " + reason)
    } else {
      draft.drop(
        setting, text, "this is not a curve; expected its kind, then points from left to right")
    }
  }
}
