import PhotoMetadata
import PhotoRecipes
import Vips

extension PhotoHeader {
  /// What a rendition does not show of the file, in words.
  var remarks: [String] { channelRemarks + frameRemarks }

  private var channelRemarks: [String] {
    let spots = otherChannels.filter { $0 == .spotColour }.count
    let others = Set(otherChannels.filter { $0 != .spotColour }.map(\.rawValue)).sorted()
    var remarks: [String] = []
    if !others.isEmpty {
      remarks.append("not in the renditions: channels of \(others.joined(separator: ", "))")
    }
    if spots > 0 {
      remarks.append("the photo's spot colours, \(spots) channels, are mixed into the picture")
    }
    return remarks
  }

  private var frameRemarks: [String] {
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
  /// What is cut off of a file's other frames, in words; throws where those asked for are.
  func lostFrames(_ frames: InputSettings.Frames) throws(RenderError) -> [String] {
    if let missing = FileEnd.missing(in: byteSource, frames) { throw .truncated(missing) }
    return FileEnd.lostFrames(in: byteSource).map { [$0] } ?? []
  }
}

extension Warnings {
  /// The failure of a JPEG photo that has an end, but not behind its pixels.
  static let endOfPixels = RenderError.truncated("its pixels end before the picture does")

  /// The failure of a decoder that went on where a picture ended, and filled up the rest.
  func damage(of header: PhotoHeader) -> RenderError? {
    if signs.contains(.prematureEnd), header.fileFormat == .jpeg {
      return Self.endOfPixels
    }
    // Of several frames it may be another one.
    let isAsked = header.pages == 1 || header.inputs.frames != .first
    return signs.contains(.invalidFrame) && header.fileFormat == .gif && isAsked
      ? .unreadable("it is damaged, or ends early: the pixels of a frame cannot be decoded") : nil
  }

  /// What libvips says but for what is not true of photos that are read here.
  var telling: [String] {
    // The colours are taken from the file itself, and frames are counted.
    lines.filter {
      !$0.hasSuffix("ignoring nclx profile") && !$0.hasSuffix("Excessive number of frames")
    }
  }
}
