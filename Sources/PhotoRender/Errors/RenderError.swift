import Glibc
public import Notation
public import PhotoMetadata
public import PhotoRecipes
import Vips

/// The reason why a photo could not be rendered.
public enum RenderError: UserError, Hashable {
  /// No loader recognizes the bytes, or the loader failed.
  case unreadable(String)
  /// The format cannot be read, or can be read only if the recipe allows it.
  case unsupported(InputFormat)
  /// A kind of TIFF file that cannot be read.
  case unsupportedTIFF(UnreadTIFF)
  /// Colours of a JPEG 2000, HEIC or AVIF file that cannot be read.
  case unsupportedColours(UnreadColours)
  /// A raw photo whose coding cannot be read; the text states the camera and the reason. `hasPreview`
  /// is true if its embedded JPEG can be rendered instead.
  case unsupportedRaw(String, isDNG: Bool, hasPreview: Bool)
  /// A DNG file with edges that are longer than the decoder of raw photos allows.
  case tooLargeRaw(Size, limit: Int)
  /// A film is damaged; the text states the reason.
  case unreadableFilm(String)
  /// A film that cannot be edited, or a format in which it cannot be written.
  case unsupportedFilm(String)
  /// The film does not have the part that an output is made of; the text states the reason.
  case missingPart(output: String, String)
  /// The raw photo has no embedded JPEG that could be rendered.
  case missingPreview
  /// The file does not have the frame or page that the recipe selects.
  case missingFrame(Int, count: Int)
  /// The animation has more frames than the limit allows.
  case tooManyFrames(Int, limit: Int)
  /// A preview of a film would have more frames than the limit allows; the number is nil if it is
  /// very large.
  case tooManyPreviewFrames(output: String, Int?, limit: Int)
  /// The file is larger than the limit allows.
  case tooManyBytes(Int, limit: Int)
  /// A progressive JPEG has more scans than the limit allows.
  case tooManyScans(limit: Int)
  /// The file ends before the photo is complete.
  case truncated(String)
  /// The photo has more pixels than the limit allows.
  case tooManyPixels(Size, limit: Int)
  /// An edge of the output is longer than its format allows.
  case outputTooLarge(Size, format: String, limit: Int)
  case tooManyOutputPixels(Size, limit: Int)
  /// Colours cannot be converted to the output profile in this file.
  case unusableProfile(String)
  /// The colour model of this output profile is not supported by the output's format.
  case unfitProfile(String, format: String)
  /// A file that the recipe names is not an image, or is damaged.
  case unreadableFile(String, String)
  /// An image that the recipe names cannot be read, because of `unsupported`, `unsupportedTIFF` or
  /// `unsupportedColours`.
  indirect case unsupportedFile(String, RenderError)
  /// An image that the recipe names has more pixels than the limit allows.
  case tooManyFilePixels(String, Size, limit: Int)
  /// The photo's file does not have the required matte or depth map.
  case missingPicture(AuxiliaryPicture)
  /// A matte or a depth map cannot be read, or does not fit the photo.
  case unreadablePicture(AuxiliaryPicture, String)
  /// A step after an external program needs a matte or a depth map, but the program may have
  /// changed the frame.
  case lostPicture(AuxiliaryPicture)
  /// A mask needs the faces of the photo, but this phbatch cannot detect faces.
  case missingFaceDetector
  /// A mask of faces follows an external program that may have changed the frame.
  case lostFaces
  /// The machine has no font of the family that a text names.
  case missingFont(String)
  /// The database of lenses cannot be opened; the text states the reason.
  case missingLensDatabase(String)
  /// A font file that the recipe names is not a font.
  case unreadableFont(String)
  /// A text that cannot be drawn.
  case unusableText(UnusableText)
  /// The file that was passed for an output cannot be used; the text states the reason.
  case unusableTarget(output: String, String)
  /// A rendition could not be written to its file; the number is the error (errno).
  case unwritable(Int32)
  case encodeFailed(output: String, String)
  /// The output's encoder fails on the finished picture; the text states the reason.
  case encoderRefused(output: String, String)
  /// A finished file contains metadata that its output's policy denies.
  case deniedMetadata(output: String, String)
  /// A rendition has more bytes, or saves fewer, than the recipe allows.
  case overBudget(output: String, BudgetMiss)
  /// An external program of the recipe did not return a photo.
  case externalFailed(ExternalFailure)
  case cancelled

  public var message: String {
    switch self {
    case .unreadable(let detail): "the photo cannot be read: \(detail)"
    case .unsupported(let format): "the file is \(format.title)"
    case .unsupportedTIFF(let kind):
      "the file is a TIFF picture with \(kind), which is not supported"
    case .unsupportedColours(let kind): "the photo has \(kind), which are not supported"
    case .unsupportedRaw(let problem, _, _): "the raw photo cannot be read: \(problem)"
    case .tooLargeRaw(let size, let limit):
      "the raw photo has \(size) pixels, but its edges can have \(limit) at most"
    case .unreadableFilm(let detail): "the film cannot be read: \(detail)"
    case .unsupportedFilm(let detail): "the film cannot be rendered: \(detail)"
    case .missingPart(let output, let detail): "'\(output)' cannot be cut from the film: \(detail)"
    case .missingPreview: "the raw photo has no embedded JPEG"
    case .missingFrame(let number, let count):
      "the file has \(count.counting("picture")), but the recipe selects number \(number)"
    case .tooManyFrames(let count, let limit):
      "the animation has \(count) frames, more than the limit of \(limit)"
    case .tooManyPreviewFrames(let output, let count, let limit):
      "'\(output)' would have \(count.map { "\($0)" } ?? "too many") frames of the film, more than"
        + " the limit of \(limit)"
    case .tooManyBytes(let count, let limit):
      "the photo has \(count) bytes, more than the limit of \(limit)"
    case .tooManyScans(let limit): "the progressive JPEG has more scans than the limit of \(limit)"
    case .truncated(let detail): "the photo is cut off: \(detail)"
    case .tooManyPixels(let size, let limit):
      "the photo has \(size) pixels, more than the limit of \(Self.pixels(limit))"
    case .outputTooLarge(let size, let format, let limit):
      "\(format) cannot store \(size) pixels; the longest edge is \(limit)"
    case .tooManyOutputPixels(let size, let limit):
      "the output would have \(size) pixels, more than the limit of \(Self.pixels(limit))"
    case .unusableProfile(let path):
      "'\(path)' is not a profile to which colours can be converted"
    case .unfitProfile(let path, let format):
      "'\(path)' is a profile whose colours \(format) cannot store"
    case .unreadableFile(let path, let detail): "the file '\(path)' cannot be read: \(detail)"
    case .unsupportedFile(let path, let error):
      "the file '\(path)' cannot be read: \(error.message)"
    case .tooManyFilePixels(let path, let size, let limit):
      "the file '\(path)' has \(size) pixels, more than the limit of \(Self.pixels(limit))"
    case .missingPicture(let picture): "the photo's file has no \(picture.title)"
    case .unreadablePicture(let picture, let detail):
      "the \(picture.title) in the photo's file cannot be used: \(detail)"
    case .lostPicture(let picture):
      "the photo's \(picture.title) cannot be used after an external program changed the photo"
    case .missingFaceDetector: "the photo's faces are not known: \(MissingFaceDetector().message)"
    case .lostFaces: "the photo's faces are not known after an external program changed the photo"
    case .missingFont(let family): "there is no font '\(family)'"
    case .missingLensDatabase(let reason): "the database of lenses cannot be opened: \(reason)"
    case .unreadableFont(let path): "the file '\(path)' is not a font that can be read"
    case .unusableText(let text): text.message
    case .unwritable(let error):
      "a rendition cannot be written: \(unsafe String(cString: strerror(error)))"
    case .encodeFailed(let output, let detail), .encoderRefused(let output, let detail),
      .unusableTarget(let output, let detail):
      "'\(output)' cannot be written: \(detail)"
    case .deniedMetadata(let output, let what):
      "'\(output)' would publish metadata that the recipe removes: \(what)"
    case .overBudget(let output, let miss): "'\(output)' \(miss.message)"
    case .externalFailed(let failure): failure.message
    case .cancelled: "cancelled"
    }
  }

  public var hint: String {
    switch self {
    case .unreadable, .truncated:
      "open it in an image viewer to check it, or copy it again from its source"
    case .unsupported(let format): format.remedy
    case .unsupportedTIFF:
      "save it with 8-bit or 16-bit integers or 32-bit floats, and with interleaved channels"
    case .unsupportedColours: "save it as an RGB picture with the program that made it"
    case .unsupportedRaw(_, let isDNG, true): (isDNG ? InputFormat.dng : .raw).remedy
    case .unsupportedRaw(_, let isDNG, false): (isDNG ? InputFormat.dng : .raw).rawConversion
    case .tooLargeRaw:
      "copy it again from its source if this size is wrong; otherwise save it as TIFF with another"
        + " program"
    case .unreadableFilm: "play it to check it, or copy it again from its source"
    case .unsupportedFilm:
      "convert it with another program first, or leave it out with 'select' in the recipe"
    case .missingPart:
      "change 'from' and 'to' of the output, or select long films, such as"
        + " \"select\": {\"where\": {\"duration\": \">=10\"}}"
    case .missingPreview: "choose another \"look\" in the recipe's \"inputs\".\"raw\""
    case .tooManyFrames:
      "select one frame with \"frames\" in the recipe's \"inputs\", or raise the limit with"
        + " --max-frames"
    case .tooManyPreviewFrames:
      "raise 'every', use a part of the film with 'from' and 'to', or raise the limit with"
        + " --max-frames"
    case .tooManyBytes: "raise the limit with --max-bytes"
    case .tooManyScans: "raise the limit with --max-scans"
    case .missingFrame: "select another picture with \"frames\" in the recipe's \"inputs\""
    case .tooManyPixels: "raise the limit with --max-pixels"
    case .outputTooLarge: "add a 'resize' step to this output, or use another format"
    case .tooManyOutputPixels: "make this output smaller"
    case .unusableProfile:
      "use srgb, display-p3, adobe-rgb, prophoto, rec2020, grey, or a display's or printer's profile"
    case .unfitProfile: "use jpeg or tiff for inks, or another profile"
    case .unreadableFile:
      "copy it again from its source, or use another PNG, JPEG, WebP or TIFF image"
    case .unsupportedFile(_, .unsupportedTIFF(let kind)): Self.unsupportedTIFF(kind).hint
    case .unsupportedFile: "save it as PNG, JPEG, WebP or TIFF, and use that file in the recipe"
    case .tooManyFilePixels: "make it smaller, or raise the limit with --max-pixels"
    case .missingPicture, .unreadablePicture:
      "set \"missing\": \"nothing\" to skip the step for such photos"
    case .lostPicture, .lostFaces: "move this step before the external program's step"
    case .missingFaceDetector: MissingFaceDetector().hint
    case .missingFont:
      "install it, give its file with 'fontFile', or use sans-serif, serif or monospace"
    case .missingLensDatabase: "install lensfun: liblensfun1 and liblensfun-data-v1"
    case .unreadableFont: "use a TrueType or OpenType font"
    case .unusableText(let text): text.hint
    case .unusableTarget:
      "pass an empty file for each output of the recipe, open for reading and writing"
    case .unwritable, .encodeFailed: "check whether the disk is full"
    case .encoderRefused: "use another size or format for this output"
    case .deniedMetadata:
      "nothing was published; keep this metadata in the output's 'metadata', or report a bug"
    case .overBudget(_, let miss): miss.hint
    case .externalFailed(let failure): failure.hint
    case .cancelled: "run again"
    }
  }
}

extension RenderError {
  private static func pixels(_ count: Int) -> String {
    let (millions, rest) = count.quotientAndRemainder(dividingBy: 1_000_000)
    return rest == 0 ? millions.counting("megapixel") : count.counting("pixel")
  }

  /// The reason without the words that introduce it in the message of an unreadable photo.
  var detail: String { if case .unreadable(let detail) = self { detail } else { message } }

  init(_ error: VipsError) { self = error == .cancelled ? .cancelled : .unreadable(error.reason) }
}

/// A text that cannot be drawn, and the reason.
public struct UnusableText: Sendable, Hashable {
  /// The text as written in the recipe.
  public var content: String
  /// The text with its placeholders filled in.
  public var text: String
  /// True if the text's markup is invalid.
  public var isBadMarkup: Bool
  /// The error text of libvips.
  public var detail: String

  var message: String { "the text \(text.quoted(atMost: 200)) cannot be drawn: \(detail)" }

  var hint: String {
    isBadMarkup
      ? "close every tag in its markup, and write & as &amp; and < as &lt;"
      : "use fewer words, or a smaller 'size'"
  }
}

/// The reason why a rendition misses its budget.
public enum BudgetMiss: Sendable, Hashable {
  /// The rendition has more bytes than `maxBytes`, even at the lowest quality that may be tried,
  /// `quality`; nil if `maxBytes` cannot lower the quality of the output.
  case size(Int, limit: Int, quality: Int?)
  /// The rendition saves fewer bytes than `minSaving` requires.
  ///
  /// `obstacle` is the reason why `keepIfSmaller` does not copy the original; nil without
  /// `keepIfSmaller`.
  case saving(Int, original: Int, asked: Double, obstacle: String?)

  var message: String {
    switch self {
    case .size(let bytes, let limit, let quality):
      "has \(bytes) bytes\(quality.map { " at quality \($0)" } ?? ""), more than the"
        + " \(limit) that 'maxBytes' allows"
    case .saving(let bytes, let original, let asked, let obstacle):
      "has \(bytes) bytes, the original \(original): this saves less than the"
        + " \(Int((asked * 100).rounded())) % that 'minSaving' requires"
        + (obstacle.map { ", and the original cannot be copied in its place: \($0)" } ?? "")
    }
  }

  var hint: String {
    switch self {
    case .size(_, _, nil):
      "make it smaller with 'resize' or its format's settings, use jpeg, webp or avif, or raise"
        + " 'maxBytes'"
    case .size(_, _, 1): "make it smaller with 'resize', or raise 'maxBytes'"
    case .size: "make it smaller with 'resize', set a lower 'minQuality', or raise 'maxBytes'"
    case .saving(_, _, _, nil):
      "make it smaller with 'resize' or a lower 'quality', lower 'minSaving', or copy the original"
        + " in this case with \"keepIfSmaller\": true and --output"
    case .saving:
      "make it smaller with 'resize' or a lower 'quality', or lower 'minSaving'"
    }
  }
}

/// The reason why an external program of a recipe did not return a photo.
public struct ExternalFailure: UserError, Hashable {
  public let message: String
  public let hint: String

  public init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

extension String {
  /// The first characters of the text, for a message: in quotation marks, on one line, with control
  /// characters escaped.
  func quoted(atMost longest: Int) -> String {
    let start = count > longest ? "\(prefix(longest))…" : self
    let shown = start.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }
    return "\"\(shown.joined())\""
  }
}
