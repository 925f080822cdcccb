import PhotoRecipes
import Vips

/// Writes one output: its header fields, its profile, its file.
struct Encoder {
  let output: Output
  let colour: OutputColour
  let depth: Int

  /// Computes the image's pixels and writes them to an empty file.
  ///
  /// - Throws: `unreadable` when the photo gave out, `encodeFailed` when the file is not whole.
  func write(_ image: Image, to descriptor: Int32) throws(RenderError) {
    let type = type(of: output.format)
    do throws(VipsError) {
      var fields = output.metadata.fields(
        of: image, profile: colour.profile, isSRGB: colour.isSRGB)
      // In every one of thousands of tiles, sRGB's would be a third of the bytes, and says nothing.
      if !type.isPhoto && colour.isSRGB { fields.updateValue(nil, forKey: "icc-profile-data") }
      var final = try image.setting(fields)
      if let dpi = output.dpi {
        let density = Argument.number(dpi / 25.4)
        final = try final.applying("copy", ["xres": density, "yres": density])
          .setting(["resolution-unit": .text("in")])
      }
      try final.save(
        to: Target(descriptor: descriptor), as: output.format.saver,
        output.format.arguments(bitDepth: depth, size: Size(image.width, image.height))
          .mapValues(\.argument))
    } catch {
      throw error == .cancelled ? .cancelled : .unreadable("\(error)")
    }
    if !FinishedFile.isWhole(descriptor, format: type) {
      throw .encodeFailed(output: output.name, "the file is not whole")
    }
  }
}

extension EncoderArgument {
  var argument: Argument {
    switch self {
    case .flag(let flag): .flag(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .choice(let nick): .choice(nick)
    case .text(let text): .text(text)
    }
  }
}
