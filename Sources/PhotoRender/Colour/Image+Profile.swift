import PhotoRecipes
import Vips

/// What becomes of an output's colours that is no matter of three channels.
extension Image {
  /// The first of three equal channels, and alpha.
  func brightness() throws(VipsError) -> Image {
    let space = format == .ushort ? "grey16" : "b-w"
    let grey = try applying("extract_band", ["band": .integer(0)])
    let image =
      bands == 4
      ? try Image.calling(
        "bandjoin",
        ["in": .images([grey, try applying("extract_band", ["band": .integer(3)])])]
      ).image("out") : grey
    return try image.applying("copy", ["interpretation": .choice(space)])
  }

  /// Colours of `OutputColour.handover`, 16 bits, in the values of a device.
  ///
  /// Black point compensation goes with the relative intent alone, as elsewhere.
  func exported(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    guard case .profile(let device) = arguments["profile"],
      let intent = arguments["intent"]?.argument, let depth = arguments["depth"]?.argument
    else { throw .missingArgument("profile", operation: Pipeline.Special.export) }
    let isRelative = arguments["intent"] == .choice(RenderingIntent.relative.rawValue)
    let common: [String: Argument] = [
      "intent": intent, "black-point-compensation": .flag(isRelative),
    ]
    let connected = try setting(["icc-profile-data": .blob(OutputColour.handover.bytes)])
      .applying("icc_import", common.merging(["embedded": .flag(true)]) { $1 })
    // Without a name of a file, libvips exports to the profile that the image has.
    return try connected.setting(["icc-profile-data": .blob(device.bytes)])
      .applying("icc_export", common.merging(["depth": depth]) { $1 })
  }
}
