import PhotoRecipes
import Vips

extension ColourCube {
  /// The cube of a HaldCLUT's file; its numbers count as they are, whatever its profile.
  ///
  /// - Throws: `unreadableFile` for a file that is none.
  init(hald bytes: [UInt8], named path: String) throws(RenderError) {
    do throws(VipsError) {
      var image = try Image.recognised(
        bytes, ifSupported: ["fail-on": .choice("truncated")])
      let isDeep = image.format == .ushort
      guard HaldImage.level(of: Size(image.width, image.height)) != nil else {
        throw .failed(operation: "lut", detail: "its size is no HaldCLUT's")
      }
      image = try image.applying("colourspace", ["space": .choice(isDeep ? "rgb16" : "srgb")])
      image = try image.applying("extract_band", ["band": .integer(0), "n": .integer(3)])
      image = try image.applying(
        "linear", ["a": .numbers([1 / (isDeep ? 65_535.0 : 255)]), "b": .numbers([0])])
      let size = Size(image.width, image.height)
      guard let cube = HaldImage.cube(size: size, samples: try image.samples(as: Float.self))
      else { throw .failed(operation: "lut", detail: "its size is no HaldCLUT's") }
      self = cube
    } catch {
      throw .unreadableFile(path, error.reason)
    }
  }
}
