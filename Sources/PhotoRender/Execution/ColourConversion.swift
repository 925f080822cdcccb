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
    guard hasAlpha else { return try transformed(arguments) }
    let colours = try applying(
      "extract_band", ["band": .integer(0), "n": .integer(bands - 1)]
    ).transformed(arguments)
    var alpha = try applying("extract_band", ["band": .integer(bands - 1)])
    // libvips 8.14 does not scale alpha from 8 to 16 bits.
    if alpha.format == .uchar && colours.format == .ushort {
      alpha = try alpha.applying("linear", ["a": .numbers([257]), "b": .numbers([0])])
        .applying("cast", ["format": .choice(SampleFormat.ushort.rawValue)])
    }
    return try Image.calling("bandjoin", ["in": .images([colours, alpha])]).image("out")
  }

  private func transformed(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
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

extension DeviceProfile {
  /// The arguments of the conversion from colours to device values.
  func conversion(_ intent: RenderingIntent, depth: Int) -> [String: Pipeline.Value] {
    [
      "profile": .profile(self), "intent": .choice(self.intent(for: intent).rawValue),
      "depth": .integer(depth),
    ]
  }

  /// True if Little CMS can convert colours to device values.
  func takesColours(_ intent: RenderingIntent) -> Bool {
    do throws(VipsError) {
      let pixel = try Image(
        pixels: [UInt8](repeating: 128, count: 6), width: 1, height: 1, bands: 3, format: .ushort
      ).applying("copy", ["interpretation": .choice("rgb16")])
      let values = try pixel.exported(conversion(intent, depth: 16)).samples(as: UInt16.self)
      return values.count == model.bands
    } catch {
      return false
    }
  }
}
