import PhotoRecipes
import Vips

/// Writes one output: its header fields, its profile, its file.
struct Encoder {
  let output: Output
  let colour: OutputColour
  let depth: Int
  var metadata = RenditionMetadata.nothing

  /// Computes the image's pixels and writes them to an empty file, and metadata after them.
  ///
  /// - Returns: What of the metadata had to be left out.
  /// - Throws: `unreadable` when the photo gave out, `encodeFailed` when the file is not whole,
  ///   `deniedMetadata` when it says what it must not.
  @discardableResult
  func write(_ image: Image, to descriptor: Int32) throws(RenderError) -> [String] {
    let type = type(of: output.format)
    do throws(VipsError) {
      let fields = HeaderFields.changes(of: image, profile: colour.profile)
      var final = try image.setting(fields)
      if let dpi = output.dpi {
        let density = Argument.number(dpi / 25.4)
        final = try final.applying("copy", ["xres": density, "yres": density])
          .setting(["resolution-unit": .text("in")])
      }
      try final.save(
        to: Target(descriptor: descriptor), as: type.saver,
        output.format.arguments(bitDepth: depth, size: Size(image.width, image.height))
          .mapValues(\.argument))
    } catch {
      throw error == .cancelled ? .cancelled : .unreadable("\(error)")
    }
    if !FinishedFile.isWhole(descriptor, format: type) {
      throw .encodeFailed(output: output.name, "the file is not whole")
    }
    let size = Size(image.width, image.height)
    return try metadata.write(output, colour, size, to: descriptor)
  }
}

extension EncoderArgument {
  var argument: Argument {
    switch self {
    case .flag(let flag): .flag(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .choice(let nick): .choice(nick)
    }
  }
}
