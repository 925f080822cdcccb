import Notation
import PhotoMetadata
import PhotoRecipes
import Vips

extension PhotoHeader {
  /// Warnings about parts of the file that no rendition contains.
  var warnings: [String] {
    channelWarnings + frameWarnings + linkWarnings + (raw?.warnings ?? [])
  }

  private var channelWarnings: [String] {
    let spots = otherChannels.filter { $0 == .spotColour }.count
    let others = Set(otherChannels.filter { $0 != .spotColour }.map(\.rawValue)).sorted()
    var warnings: [String] = []
    if !others.isEmpty {
      warnings.append("not in the renditions: channels of \(others.joined(separator: ", "))")
    }
    if spots > 0 {
      warnings.append("the photo's spot colours, \(spots) channels, are mixed into the picture")
    }
    return warnings
  }

  private var linkWarnings: [String] {
    guard let first = links.first else { return [] }
    let rest = Set(links).count - 1
    let others = rest > 0 ? " and \(rest.counting("other link"))" : ""
    return [
      "not in the renditions: \(first.quoted(atMost: 80))\(others) of the drawing, because links are"
        + " not followed; embed these files in the drawing"
    ]
  }

  private var frameWarnings: [String] {
    if isStill {
      return ["the photo is an animation, but only this picture can be read"]
    }
    // The other pictures in a TIFF file are usually smaller copies of the first.
    guard pages > 1, fileFormat.loader?.hasFrames == true, fileFormat != .tiff else { return [] }
    if inputs.frames == .all {
      let isShort = animation == nil
      return isShort
        ? ["the file's \(pages) pictures are not an animation: only the first is rendered"] : []
    }
    guard inputs.frames == .first else { return [] }
    return [
      "the file contains \(pages) pictures, and only one is rendered; select another with"
        + " \"frames\" in the recipe's \"inputs\""
    ]
  }
}

extension PhotoFile {
  /// Warnings that other frames of the file are truncated.
  ///
  /// - Throws: `truncated` if a frame that `frames` selects is truncated.
  func lostFrames(_ frames: InputSettings.Frames) throws(RenderError) -> [String] {
    if let missing = FileEnd.missing(in: byteSource, frames) { throw .truncated(missing) }
    return FileEnd.lostFrames(in: byteSource).map { [$0] } ?? []
  }
}

extension Warnings {
  /// The error of a JPEG photo with an end marker before its last pixels.
  static let endOfPixels = RenderError.truncated("pixels at the end of the picture are missing")

  /// The error of a photo with missing pixels that the decoder filled in; nil if no pixel is
  /// missing.
  func damage(of header: PhotoHeader) -> RenderError? {
    if signs.contains(.prematureEnd), header.fileFormat == .jpeg {
      return Self.endOfPixels
    }
    // If the rendition contains only the first of several frames, the damage may be in a frame that
    // the rendition does not contain.
    let isAsked = header.pages == 1 || header.inputs.frames != .first
    return signs.contains(.invalidFrame) && header.fileFormat == .gif && isAsked
      ? .unreadable("the file is damaged, or cut off: the pixels of a frame cannot be decoded")
      : nil
  }

  /// The warnings of libvips that apply to phbatch.
  var telling: [String] {
    // These warnings do not apply: phbatch itself reads the colours from the file, counts the frames,
    // and reads the metadata. Raw files have many tags that libtiff does not know. The resolution of
    // a photo changes nothing in its renditions.
    let applying = messages.filter {
      !$0.hasSuffix("ignoring nclx profile") && !$0.hasSuffix("Excessive number of frames")
        && !$0.hasPrefix("Unknown field with tag ")
        && !$0.hasSuffix("unknown EXIF resolution unit")
    }
    // Dropped messages repeat those before them.
    return applying.isEmpty || dropped == 0
      ? applying : lines.filter(applying.contains) + lines.suffix(1)
  }
}
