import PhotoRecipes
import Vips

/// Conversions of an output's colours to other than three channels, and through tables of profiles.
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

  /// Values of a device in the colours of another profile, which is a file's or one that libvips
  /// has.
  func importedByTables(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    var all = arguments.mapValues(\.argument)
    guard case .profile(let space) = arguments["output-profile"] else {
      return try applying(Pipeline.Operation.importByTables.name, all)
    }
    let file = try MemoryFile(space.bytes)
    all["output-profile"] = .text(file.path)
    // libvips has read it when the operation is there.
    return try withExtendedLifetime(file) { () throws(VipsError) in
      try applying(Pipeline.Operation.importByTables.name, all)
    }
  }

  /// Colours of `StandardProfile.handover`, 16 bits, in the values of a device.
  ///
  /// Black point compensation goes with the relative intent alone, as elsewhere.
  func exported(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    guard case .profile(let device) = arguments["profile"],
      let intent = arguments["intent"]?.argument, let depth = arguments["depth"]?.argument
    else { throw .missingArgument("profile", operation: Pipeline.Operation.exportByTables.name) }
    let isRelative = arguments["intent"] == .choice(RenderingIntent.relative.rawValue)
    // Through the connection space and back, in two operations, blacks would not be compensated.
    // libvips takes a profile by name alone, and has read it when the operation is there.
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
