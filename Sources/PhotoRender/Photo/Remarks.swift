import PhotoRecipes
import Vips

extension PhotoHeader {
  /// What a rendition does not show of the file, in words.
  var remarks: [String] {
    guard pages > 1, inputs.frames == .first, fileFormat.hasFrames, fileFormat != .tiff else {
      return []
    }
    return [
      "the file holds \(pages) pictures, of which this is one: \"frames\" in the recipe's "
        + "\"inputs\" chooses another"
    ]
  }
}

extension Warnings {
  /// What libvips says but for what is not true of photos that are read here.
  var telling: [String] {
    // The colours are taken from the file itself.
    lines.filter { !$0.hasSuffix("ignoring nclx profile") }
  }
}
