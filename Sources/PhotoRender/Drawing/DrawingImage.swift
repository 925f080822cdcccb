import PhotoRecipes
import Vips

/// Carries out a drawing on a photo.
struct DrawingImage {
  private let drawing: Drawing
  private let format: SampleFormat
  private let files: [String: [UInt8]]
  /// What the placeholders of texts stand for.
  private let values: [String: String]

  init(
    _ arguments: [String: Pipeline.Value], _ files: [String: [UInt8]], _ values: [String: String]
  ) throws(VipsError) {
    guard case .drawing(let drawing, let format) = arguments["drawing"] else {
      throw .missingArgument("drawing", operation: Pipeline.Special.draw)
    }
    self.drawing = drawing
    self.format = format
    self.files = files
    self.values = values
  }

  /// The photo with the drawing on it; `remarks` gets what is worth a word.
  func laid(over photo: Image, _ remarks: RemarkLog) throws(RenderError) -> Image {
    let frame = Size(photo.width, photo.height)
    do {
      var result = photo
      for piece in try pieces(in: frame, remarks) { result = try piece.laid(over: result, format) }
      return try result.inStrips()
    } catch let error as RenderError {
      throw error
    } catch let error as VipsError {
      throw RenderError(error)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  private func pieces(in frame: Size, _ remarks: RemarkLog) throws -> [Piece] {
    switch drawing {
    case .image(let overlay): try pieces(of: overlay, in: frame, remarks)
    case .text(let caption): try CaptionImage(caption, files, values).pieces(in: frame, remarks)
    case .corners(let corners): try CornerImages(corners, frame).pieces()
    }
  }

  private func pieces(
    of overlay: Overlay, in frame: Size, _ remarks: RemarkLog
  ) throws(RenderError) -> [Piece] {
    do throws(VipsError) {
      return try OverlayImage(overlay, files).pieces(in: frame, remarks)
    } catch {
      throw .unreadableFile(overlay.file.path, error.reason)
    }
  }
}
