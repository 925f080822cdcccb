import FileStructure
import PhotoMetadata
public import PhotoRecipes
import Vips

extension Renderer {
  /// Describes the format and the content of a file in words; each line states one fact.
  public static func description(of photo: PhotoFile, _ inputs: InputSettings) -> [String] {
    if photo.size == 0 { return ["the file is empty"] }
    let metadata = Metadata(of: photo.byteSource)
    var lines: [String] = []
    var seen: PhotoHeader?
    do throws(RenderError) {
      let format = try photo.format()
      lines.append(format.title)
      if inputs.allows(format) {
        do throws(RenderError) {
          let header = try header(of: photo, inputs)
          lines += header.lines
          if format.isPhoto || format.family == .raw { seen = header }
        } catch {
          lines.append(text(error))
        }
        if format.family == .raw { lines += RawFacts.lines(of: photo, besides: lines) }
      }
    } catch {
      lines.append(text(error))
    }
    lines += ContainerDescription.lines(of: photo.byteSource)
    let blocks = [
      metadata.exif == nil ? nil : "EXIF", metadata.xmp == nil ? nil : "XMP",
      metadata.iptc == nil ? nil : "IPTC",
    ].compactMap(\.self)
    if !blocks.isEmpty { lines.append("metadata: \(blocks.joined(separator: ", "))") }
    // The film of a motion photo has a line of its own; outputs can keep it.
    let described: Set<Metadata.Attachment> = photo.embeddedFilm == nil ? [] : [.video]
    let pictures = keptPictures(of: photo)
    func add(_ words: String, _ kinds: Set<Metadata.Attachment>) {
      let names = kinds.map(\.rawValue).sorted().joined(separator: ", ")
      if !names.isEmpty { lines.append("\(words): \(names)") }
    }
    add("renditions can keep", pictures)
    add(
      "in the file, but not in renditions",
      metadata.attachments.subtracting(described).subtracting(pictures))
    lines += DecoderPatches.descriptions(for: photo.byteSource)
    lines += VipsRuntime.takeWarnings().telling.map { "warning of libvips: \($0)" }
    return lines + (seen.map { faceLines(of: photo, $0) } ?? [])
  }
}

extension Renderer {
  private static func text(_ error: RenderError) -> String { "\(error.message) (\(error.hint))" }

  /// The kinds of further pictures of a photo's file that can be read, so that renditions can keep
  /// them.
  private static func keptPictures(of photo: PhotoFile) -> Set<Metadata.Attachment> {
    Set(AuxiliaryData.all(in: photo.byteSource).map(\.attachment))
      .union(GainMap(of: photo.byteSource) == nil ? [] : [.gainMap])
  }

  /// The limits of a photo whose faces are described; larger photos take too long.
  private static let describedLimits = RenderLimits(
    wholePixels: 100_000_000, streamedPixels: 200_000_000)

  /// The faces in a photo: one line with their number, and one line for each face.
  private static func faceLines(of photo: PhotoFile, _ header: PhotoHeader) -> [String] {
    do throws(RenderError) {
      try describedLimits.check(header, photo)
      let context = ExecutionContext(
        photo: photo, header: header, files: [:], values: [:], resources: Resources(), monitor: nil)
      return try context.faceSearch.faces(in: context).lines
    } catch {
      return ["faces: not looked for, because \(error.message)"]
    }
  }
}

extension PhotoFaces {
  fileprivate var lines: [String] {
    let counts = [
      marked.isEmpty ? nil : "\(marked.count) marked in the metadata",
      detected.map { "\($0.count) detected" } ?? "not detected, because this build cannot do that",
    ].compactMap(\.self)
    return ["faces: \(counts.joined(separator: ", "))"]
      + all.map { face in
        let (x, y) = face.bounds()
        func percent(_ number: Double) -> String { "\(Int((100 * number).rounded())) %" }
        return
          "  a face \(percent(x.lowerBound)) from the left and \(percent(y.lowerBound)) from the"
          + " top, \(percent(x.upperBound - x.lowerBound)) wide and"
          + " \(percent(y.upperBound - y.lowerBound)) high"
      }
  }
}

extension PhotoHeader {
  fileprivate var lines: [String] {
    var lines = ["\(size) pixels upright" + (orientation == .upright ? "" : ", \(stored) stored")]
    let bits = significantBits ?? statedBits ?? 8 * format.size
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
