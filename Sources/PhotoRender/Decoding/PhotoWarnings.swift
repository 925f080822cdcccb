import PhotoMetadata
import PhotoRecipes
import Vips

extension PhotoHeader {
  /// Parts of the file that no rendition shows, in words.
  var warnings: [String] { channelWarnings + frameWarnings }

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

  private var frameWarnings: [String] {
    if isStill {
      return ["the photo is an animation, of which only this picture can be read"]
    }
    // A TIFF file's other pictures are mostly smaller copies of the first.
    guard pages > 1, fileFormat.hasFrames, fileFormat != .tiff else { return [] }
    if inputs.frames == .all {
      let isShort = animation == nil
      return isShort ? ["the file's \(pages) pictures are no animation: this is the first"] : []
    }
    guard inputs.frames == .first else { return [] }
    return [
      "the file holds \(pages) pictures, of which this is one: \"frames\" in the recipe's "
        + "\"inputs\" chooses another"
    ]
  }
}

extension PhotoFile {
  /// The truncation of a file's other frames, in words.
  ///
  /// - Throws: `truncated` if the frames that `frames` selects are cut off.
  func lostFrames(_ frames: InputSettings.Frames) throws(RenderError) -> [String] {
    if let missing = FileEnd.missing(in: byteSource, frames) { throw .truncated(missing) }
    return FileEnd.lostFrames(in: byteSource).map { [$0] } ?? []
  }
}

extension Warnings {
  /// The error of a JPEG photo whose end marker comes before its last pixels.
  static let endOfPixels = RenderError.truncated("its pixels end before the picture does")

  /// The error of a photo whose missing pixels the decoder made up.
  func damage(of header: PhotoHeader) -> RenderError? {
    if signs.contains(.prematureEnd), header.fileFormat == .jpeg {
      return Self.endOfPixels
    }
    // One of several frames may be damaged without being rendered.
    let isAsked = header.pages == 1 || header.inputs.frames != .first
    return signs.contains(.invalidFrame) && header.fileFormat == .gif && isAsked
      ? .unreadable("it is damaged, or ends early: the pixels of a frame cannot be decoded") : nil
  }

  /// The warnings of libvips, without those that do not apply here.
  var telling: [String] {
    // The colours are taken from the file itself, and frames are counted.
    lines.filter {
      !$0.hasSuffix("ignoring nclx profile") && !$0.hasSuffix("Excessive number of frames")
    }
  }
}
