import FileStructure
import PhotoMetadata
public import PhotoRecipes
import Vips

extension Renderer {
  /// Describes the format and the content of a file in words; each line states one fact.
  public static func description(of photo: PhotoFile, _ inputs: InputSettings) -> [String] {
    let metadata = Metadata(of: photo.byteSource)
    var lines: [String] = []
    do throws(RenderError) {
      let format = try photo.format()
      lines.append(format.title)
      if inputs.allows(format) {
        lines += try header(of: photo, inputs).lines
        if format.family == .raw { lines += RawFacts.lines(of: photo) }
      }
    } catch {
      lines.append("\(error.message) (\(error.hint))")
    }
    lines += ContainerDescription.lines(of: photo.byteSource)
    let blocks = [
      metadata.exif == nil ? nil : "EXIF", metadata.xmp == nil ? nil : "XMP",
      metadata.iptc == nil ? nil : "IPTC",
    ].compactMap(\.self)
    if !blocks.isEmpty { lines.append("metadata: \(blocks.joined(separator: ", "))") }
    let others = metadata.attachments.map(\.rawValue).sorted()
    if !others.isEmpty {
      lines.append("in the file, but not in renditions: \(others.joined(separator: ", "))")
    }
    lines += DecoderPatches.descriptions(for: photo.byteSource)
    return lines + VipsRuntime.takeWarnings().telling.map { "warning of libvips: \($0)" }
  }
}

extension PhotoHeader {
  fileprivate var lines: [String] {
    var lines = ["\(size) pixels upright" + (orientation == .upright ? "" : ", \(stored) stored")]
    let bits = significantBits ?? 8 * format.size
    lines.append(
      "\(bands) channels with \(bits) bits" + (hasAlpha ? ", one of them alpha" : "")
        + ", to libvips \(interpretation)")
    if pages > 1 { lines.append("\(pages) pictures or pages") }
    if isStill { lines.append("an animation; only one picture is read") }
    lines.append("colours: \(colours)")
    if isInterlaced { lines.append("progressive or interlaced: decoded as a whole") }
    lines += captureDate.map { ["taken \($0)"] } ?? []
    lines.append("read by \(loader)")
    return lines
  }

  private var colours: String {
    if let dynamicRange {
      return "\(dynamicRange.transfer.rawValue), up to \(Int(dynamicRange.peak)) cd/m²"
    }
    guard let profile else { return "no profile: assumed to be sRGB" }
    let name = ICCProfile.description(profile)
    let kind =
      switch ICCProfile(profile) {
      case .matrix: "curves and a matrix"
      case .grey: "a greyscale curve"
      case .table(let space, _): "tables for \(space.split(separator: " ").joined())"
      case nil: "damaged"
      }
    return (name.isEmpty ? "a profile" : "'\(name)'") + ", \(kind)"
  }
}
