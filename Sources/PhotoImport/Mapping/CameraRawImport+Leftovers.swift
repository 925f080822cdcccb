import PhotoRecipes

extension CameraRawImport {
  /// Prefixes of the names of settings that get no note, because they only modify other settings or
  /// do not change the photo.
  private static let silent = [
    "Version", "ProcessVersion", "Has", "AlreadyApplied", "RawFileName", "Name", "Group", "UUID",
    "Cluster", "Supports", "Require", "PresetType", "Crop", "ToneCurveName", "AutoWhiteVersion",
    "AutoToneDigest", "AutoBrightness", "AutoContrast", "AutoExposure", "AutoShadows",
    "LensProfileSetup", "LensProfileDigest", "LensProfileName", "LensProfileFilename",
    "VignetteMidpoint", "DefringePurpleHue", "DefringeGreenHue", "UprightVersion", "UprightCenter",
    "UprightFocal", "UprightPreview", "UprightTransformCount", "UprightFourSeg", "ContactInfo",
    "CameraProfileDigest", "CameraModelRestriction", "SortName", "ShortName", "Description",
    "Copyright", "Amount", "CompatibleVersion", "GrainSeed", "OverrideLookVignette", "HDRMaxValue",
    "SDR",
  ]

  /// The values without effect of the settings for which it is not 0.
  private static let neutral: [String: Double] = [
    "CurveRefineSaturation": 100, "PerspectiveScale": 100,
  ]

  /// The settings that refine a main setting: their `name`, their neutral value `standard`, and in
  /// `main` a prefix of the name in the main setting's note.
  ///
  /// These settings have no effect without the main setting.
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
        setting.name, value.brief,
        "no filter has a separate setting for this detail of \(setting.main)")
    }
  }

  mutating func leftovers() {
    if packet.isAlreadyApplied {
      draft.drop(
        "AlreadyApplied", "True",
        "the photo beside this file already contains the settings; apply the recipe to its original"
      )
    }
    fineSettings()
    // The colours of a photo that is not raw are those of its own profile in both programs.
    if !isOfRawPhoto, settings.rest["CameraProfile"] == "Embedded" {
      settings.ignore { $0 == "CameraProfile" }
    }
    settings.ignore { name in Self.silent.contains { name.hasPrefix($0) } }
    for (name, value) in settings.rest.sorted(by: { $0.key < $1.key })
    where !(Self.neutral[name].map { Double(value) == $0 } ?? value.isNeutralSetting) {
      draft.drop(name, value, Self.reason(name))
    }
    for name in lists.keys.sorted() where !Self.isSilent(list: name) {
      let isEmpty = lists[name]?.array?.isEmpty ?? false
      if !isEmpty { draft.drop(name, "a list", Self.reason(name)) }
    }
    draft.drop(unreadOf: settings)
  }

  private static func isSilent(list name: String) -> Bool {
    name.hasPrefix("ToneCurve") || silent.contains { name.hasPrefix($0) }
  }

  private static func reason(_ name: String) -> String {
    let families: [(String, String)] = [
      ("PerspectiveScale", "phbatch does not import this scale; see the filter crop"),
      ("Perspective", "phbatch does not import perspective; see the filter perspective"),
      ("Upright", "phbatch has no upright correction"),
      ("LensManual", "only the errors in the lens's profile are corrected"),
      ("ChromaticAberration", "only the errors in the lens's profile are corrected"),
      ("CameraProfile", "a raw photo's colours are those of the camera's own matrices"),
      ("Look", "Adobe does not publish the formulas of its looks"),
      ("LookTable", "Adobe does not publish the formulas of its looks"),
      ("RGBTable", "Adobe does not publish the formulas of its looks"),
      ("Defringe", "phbatch does not import defringing; see the filter defringe"),
      ("RetouchInfo", "phbatch does not import retouching; see the filter heal"),
      ("RetouchAreas", "phbatch does not import retouching; see the filter heal"),
      ("RedEye", "phbatch does not import retouching"),
      ("GradientBased", "phbatch does not import local corrections"),
      ("CircularGradientBased", "phbatch does not import local corrections"),
      ("PaintBased", "phbatch does not import local corrections"),
      ("MaskGroupBased", "phbatch does not import local corrections"),
      ("ColorGradeGlobal", "no filter tones the whole photo uniformly"),
    ]
    return families.first { name.hasPrefix($0.0) }?.1 ?? "phbatch has no filter for this"
  }
}
