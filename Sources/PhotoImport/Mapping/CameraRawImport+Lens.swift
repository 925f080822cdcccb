import PhotoRecipes

extension CameraRawImport {
  /// Converts the corrections of the lens, which precede the crop.
  mutating func lensProfile() {
    let isOn = settings.flag("LensProfileEnable")
    let removesFringes = settings.flag("AutoLateralCA")
    let scales = ["Distortion", "Vignetting"].map {
      settings.number("LensProfile\($0)Scale") ?? 100
    }
    // Camera Raw 7 and later ignore this setting of the profile.
    settings.ignore { $0 == "LensProfileChromaticAberrationScale" }
    let (bends, darkens) = (isOn && scales[0] > 0, isOn && scales[1] > 0)
    guard bends || darkens || removesFringes else { return }
    draft.add(LensFilter.self) {
      ($0.distortion, $0.vignetting, $0.tca) = (bends, darkens, removesFringes)
    }
    if isOn {
      draft.approximate(
        "LensProfileEnable", "1", LensFilter.name,
        "by lensfun's profile of the lens, not Adobe's; the borders of the photo are filled")
    }
    if removesFringes {
      draft.approximate(
        "AutoLateralCA", "1", LensFilter.name,
        "by the profile of the lens; Camera Raw measures the photo")
    }
    for (name, scale) in zip(["Distortion", "Vignetting"], scales)
    where isOn && scale > 0 && scale != 100 {
      draft.drop(
        "LensProfile\(name)Scale", scale.brief, "the whole error is corrected, not a part of it")
    }
  }

  /// Converts the white balance of a raw photo, which Camera Raw states in kelvin.
  ///
  /// - Source: Adobe, DNG SDK 1.6, `dng_temperature.cpp`: the tint is in 1 ÷ 3000 of CIE 1960 uv,
  ///   as in `whiteBalance`.
  mutating func cameraLight(_ kelvin: String, _ tint: String?) {
    guard let temperature = Double(kelvin), temperature.isFinite, temperature > 0 else {
      return draft.drop("Temperature", kelvin, "the value must be a number of kelvin")
    }
    let shift = tint.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } ?? 0
    let held = draft.add(WhiteBalance.self) { ($0.kelvin, $0.tint) = (temperature, shift) }
    draft.approximate(
      "Temperature, Tint", "\(kelvin), \(tint ?? "0")", WhiteBalance.name,
      "the same light, by the camera's own matrices; Camera Raw may use another profile" + held)
  }
}

/// The name of a raw photo's file.
enum RawFileName {
  /// True if a file with this name is a raw photo, or belongs to one, as `IMG_1.CR2.pp3` does.
  static func isOfRawPhoto(_ name: String) -> Bool {
    let photo = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? ""
    return isRaw(name) == true || isRaw(photo) == true
  }

  /// True if the name has an extension of a raw format; nil if it has none of a photo.
  static func isRaw(_ name: String) -> Bool? {
    let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last else { return nil }
    return InputCatalog.format(extension: String(last)).map { $0.family == .raw }
  }
}
