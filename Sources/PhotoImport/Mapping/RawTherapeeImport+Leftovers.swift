import PhotoRecipes

extension RawTherapeeImport {
  /// Adds a note for each setting of a group that no filter has used and that is not neutral.
  ///
  /// `standard` lists keys that get no note.
  mutating func drop(_ group: String, standard: [String]) {
    let standard = standard.map { "\(group).\($0)" }
    for (name, value) in settings.rest.sorted(by: { $0.key < $1.key })
    where name.hasPrefix("\(group).") && !standard.contains(name) && value.changesSomething {
      draft.drop(name, value, "this setting is not converted")
    }
  }

  /// The groups that get no note as a whole: they set the decoding of raw data, describe the file,
  /// or only modify other groups.
  private static let silent: Set = [
    "Version", "General", "Exif", "IPTC", "MetaData", "Color Management", "RAW", "RAW Bayer",
    "RAW X-Trans", "RAW Preprocess WB", "HLRecovery", "Common Properties for Transformations",
    "Gamma", "Output Sharpening", "PostResizeSharpening",
  ]

  /// The groups without a switch, each with the keys whose values switch the group on.
  private static let undeclared = [
    "Distortion": ["Amount"], "CACorrection": ["Red", "Blue"], "Vignetting Correction": ["Amount"],
    "Perspective": [
      "Horizontal", "Vertical", "CameraPitch", "CameraRoll", "CameraYaw", "CameraShiftHorizontal",
      "CameraShiftVertical", "ProjectionPitch", "ProjectionRotate", "ProjectionYaw",
      "ProjectionShiftHorizontal", "ProjectionShiftVertical",
    ],
  ]

  /// The groups that are not converted although a filter has a similar effect.
  private static let filters = [
    "Defringing": Defringe.name, "Film Negative": FilmNegative.name, "Film Simulation": Lut.name,
    "HSV Equalizer": HSL.name, "Impulse Denoising": Median.name, "Perspective": Perspective.name,
    "PostDemosaicSharpening": Deconvolve.name, "Resize": ResizeFilter.name,
    "Spot removal": Heal.name, "ToneEqualizer": ToneEqualizer.name,
    "Vignetting Correction": Vignette.name,
  ]

  /// The settings in groups without a note that change the picture if they are not neutral, each
  /// with the reason why no filter takes their place.
  private static let decoding: [(reason: String, names: [String])] = [
    ("phbatch subtracts no dark frames", ["RAW.DarkFrame", "RAW.DarkFrameAuto"]),
    (
      "phbatch uses no flat fields",
      ["RAW.FlatFieldFile", "RAW.FlatFieldAutoSelect", "RAW.FlatFieldFromMetaData"]
    ),
    (
      "only the errors in the lens's profile are corrected; see the filter lens",
      ["RAW.CA", "RAW.CARed", "RAW.CABlue"]
    ),
    (
      "\"inputs\": {\"raw\": {\"hotPixels\": …}} takes its place",
      ["RAW.HotPixelFilter", "RAW.DeadPixelFilter"]
    ),
    (
      "the black point of raw photos is the camera's",
      (0...3).map { "RAW Bayer.PreBlack\($0)" } + ["RAW Bayer.Dehablack"]
        + ["Red", "Green", "Blue"].map { "RAW X-Trans.PreBlack\($0)" }
        + ["RAW X-Trans.Dehablackx"]
    ),
    (
      "phbatch has no filter for this",
      ["LineDenoise", "GreenEqThreshold", "PDAFLinesFilter"].map { "RAW Bayer.\($0)" }
    ),
    ("\"inputs\": {\"raw\": {\"highlights\": …}} takes its place", ["HLRecovery.Enabled"]),
  ]

  private mutating func decodingSettings() {
    // RawTherapee ignores these settings for other photos.
    for (reason, names) in Self.decoding where photo.isRaw != false {
      for name in names {
        guard let value = settings.take(name), !value.isNeutralSetting else { continue }
        draft.drop(name, value, reason)
      }
    }
    let profile = settings.take("Color Management.InputProfile") ?? ""
    if !["", "(embedded)", "(camera)", "(cameraICC)"].contains(profile) {
      draft.drop(
        "Color Management.InputProfile", profile,
        "a photo's colours are those of its own profile, or of the camera's own matrices")
    }
    workingCurve()
  }

  /// Reports a tone curve of the working space, unless it is that of sRGB, which changes nothing.
  private mutating func workingCurve() {
    let name = "Color Management.WorkingTRC"
    let (gamma, slope) = (
      settings.number(name + "Gamma") ?? 2.4, settings.number(name + "Slope") ?? 12.92
    )
    // RawTherapee ignores both numbers of the curves named here.
    guard let curve = settings.take(name), !["none", "sRGB", "linear"].contains(curve),
      (gamma, slope) != (2.4, 12.92)
    else { return }
    draft.drop(
      name, "\(curve), gamma \(gamma.short), slope \(slope.short)",
      "phbatch has no filter for this")
  }

  mutating func leftovers() {
    decodingSettings()
    for group in others.subtracting(Self.silent).sorted() where isOn(group) {
      let filter = Self.filters[group]
      draft.drop(
        group, "on",
        filter.map { "this setting is not converted; see the filter \($0)" }
          ?? "phbatch has no filter for this")
    }
    draft.drop(unreadOf: settings)
  }

  private mutating func isOn(_ group: String) -> Bool {
    let switchName = "\(group).Enabled"
    if settings.rest[switchName] != nil { return settings.flag(switchName) }
    if let keys = Self.undeclared[group] {
      return keys.contains { !(settings.rest["\(group).\($0)"] ?? "").isNeutralSetting }
    }
    return settings.rest.contains { $0.key.hasPrefix("\(group).") && $0.value.changesSomething }
  }
}

extension String {
  fileprivate var changesSomething: Bool { !isNeutralSetting && !isNeutralCurve }
}
