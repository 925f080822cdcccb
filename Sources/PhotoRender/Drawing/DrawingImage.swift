import PhotoRecipes
import Synchronization
import Vips

/// Draws on a photo.
struct DrawingImage {
  private let drawing: Drawing
  private let format: SampleFormat
  private let files: [String: [UInt8]]
  /// The values of the placeholders of texts.
  private let values: [String: String]

  init(
    _ arguments: [String: Pipeline.Value], _ files: [String: [UInt8]], _ values: [String: String]
  ) throws(VipsError) {
    guard case .drawing(let drawing, let format) = arguments["drawing"] else {
      throw .missingArgument("drawing", operation: Pipeline.Operation.draw.name)
    }
    self.drawing = drawing
    self.format = format
    self.files = files
    self.values = values
  }

  init(_ drawing: Drawing, _ files: [String: [UInt8]], _ values: [String: String]) {
    self.drawing = drawing
    self.files = files
    self.values = values
    format = .float
  }

  /// Draws on the photo, and adds warnings to the log.
  func laid(over photo: Image, _ warnings: WarningLog) throws(RenderError) -> Image {
    let frame = Size(photo.width, photo.height)
    do {
      var result = photo
      for piece in try pieces(in: frame, warnings) {
        result = try piece.laid(over: result, drawing.mode, format)
      }
      return try result.inStrips()
    } catch let error as RenderError {
      throw error
    } catch let error as VipsError {
      throw RenderError(error)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  func pieces(in frame: Size, _ warnings: WarningLog) throws -> [Piece] {
    switch drawing {
    case .image(let overlay): try pieces(of: overlay, in: frame, warnings)
    case .text(let caption): try CaptionImage(caption, files, values).pieces(in: frame, warnings)
    case .corners(let corners): try CornerImages(corners, frame).pieces()
    }
  }

  private func pieces(
    of overlay: Overlay, in frame: Size, _ warnings: WarningLog
  ) throws(RenderError) -> [Piece] {
    do throws(VipsError) {
      return try OverlayImage(overlay, files).pieces(in: frame, warnings)
    } catch {
      throw .unreadableFile(overlay.file.path, error.reason)
    }
  }
}

/// The memory in bytes of a drawing: while the drawing is created, and as a picture of
/// premultiplied floats.
enum DrawingMemory {
  static func bytes(_ drawing: Drawing, in size: Size) -> Int {
    switch drawing {
    case .text(let caption):
      let line = caption.size * Double(size.shortEdge)
      let width = max(line, caption.width * Double(size.width))
      // The estimate assumes wide letters, and 60 characters for the values of placeholders.
      let text = caption.content.text
      let length = Double(text.count + (text.contains("{") ? 60 : 0)) * 0.7 * line
      let lines = (length / width).rounded(.up)
      let pixels = min(Double(size.pixels), min(length, width) * lines * 1.5 * line)
      return Int(pixels) * 40 + (12 << 20)
    case .image(let overlay):
      let part = overlay.tiling == nil ? min(1, overlay.scale * overlay.scale) : 1
      let copies = overlay.shadow == nil && overlay.angle == 0 ? 1 : 3
      return Int(part * Double(size.pixels)) * 24 * copies + (8 << 20)
    case .corners(let corners):
      let radius = corners.radius(in: size)
      return 4 * 24 * radius * radius
    }
  }
}

/// The warnings from rendering one photo, without duplicates; several threads may add warnings.
final class WarningLog: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) {
    lines.withLock { lines in if !lines.contains(line) { lines.append(line) } }
  }
}
