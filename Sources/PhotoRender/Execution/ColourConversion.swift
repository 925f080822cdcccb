import PhotoRecipes
import Vips

/// Conversions of an output's image to other channels than RGB, and conversions by tables of
/// profiles.
extension Image {
  /// Returns the first of three equal channels, with the alpha if there is one.
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

  /// Converts device values to the colours of another profile.
  ///
  /// The arguments state that profile as bytes, or as the name of a profile in libvips.
  func importedByTables(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    var all = arguments.mapValues(\.argument)
    guard case .profile(let space) = arguments["output-profile"] else {
      return try applying(Pipeline.Operation.importByTables.name, all)
    }
    let file = try MemoryFile(space.bytes)
    all["output-profile"] = .text(file.path)
    // libvips reads the profile's file while the operation is created, so the file may be deleted
    // afterwards.
    return try withExtendedLifetime(file) { () throws(VipsError) in
      try applying(Pipeline.Operation.importByTables.name, all)
    }
  }

  /// Converts 16-bit colours of `StandardProfile.handover` to device values.
  ///
  /// Black point compensation is used only with the relative colorimetric intent, as in the
  /// conversion from device values.
  func exported(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    guard case .profile(let device) = arguments["profile"],
      let intent = arguments["intent"]?.argument, let depth = arguments["depth"]?.argument
    else { throw .missingArgument("profile", operation: Pipeline.Operation.exportByTables.name) }
    let isRelative = arguments["intent"] == .choice(RenderingIntent.relative.rawValue)
    // One operation imports and exports the colours, because two separate operations would not
    // compensate the black point. libvips accepts a profile only as a file, and reads the file
    // while the operation is created.
    let file = try MemoryFile(device.bytes)
    return try withExtendedLifetime(file) { () throws(VipsError) in
      try setting(["icc-profile-data": .blob(StandardProfile.handover.bytes)]).applying(
        "icc_transform",
        [
          "embedded": .flag(true), "output-profile": .text(file.path), "intent": intent,
          "black-point-compensation": .flag(isRelative), "depth": depth,
        ])
    }
  }
}
