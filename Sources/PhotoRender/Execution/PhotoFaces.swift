import PhotoRecipes
import Synchronization
import Vips

/// The faces of an upright photo.
struct PhotoFaces: Sendable, Hashable {
  /// The faces that the metadata of the file, or of its original, mark.
  var marked: [Face]
  /// The detected faces that are not marked; nil if this phbatch cannot detect faces.
  var detected: [Face]?

  var all: [Face] { marked + (detected ?? []) }

  /// The warning that faces may be missing; nil if faces were searched.
  var warning: String? {
    guard detected == nil, marked.isEmpty, let missing = MissingFaceDetector.current else {
      return nil
    }
    return "\(missing.message): \(missing.hint)"
  }
}

/// The faces of one photo, which are searched once for all steps.
final class FaceSearch: Sendable {
  private let found = Mutex<PhotoFaces?>(nil)
  /// Returns the faces that the original of the photo marks; none if the photo is the original.
  private let marksOfOriginal: @Sendable () -> [Face]

  /// The maximum factor by which a small photo is enlarged for the detection.
  private static let mostEnlarged = 3

  init(marksOfOriginal: @escaping @Sendable () -> [Face] = { [] }) {
    self.marksOfOriginal = marksOfOriginal
  }

  /// Returns the faces of the photo; they are detected in a copy of the photo of one size, before
  /// any step.
  func faces(in context: ExecutionContext) throws(RenderError) -> PhotoFaces {
    if let known = found.withLock({ $0 }) { return known }
    // The original's marks come first, because they know how the photo was turned.
    var marked = marksOfOriginal()
    marked += context.photo.markedFaces(context.header).filter { face in
      !marked.contains(where: face.overlaps)
    }
    let detected = try Self.detected(in: context).map { faces in
      faces.filter { face in !marked.contains(where: face.overlaps) }
    }
    let faces = PhotoFaces(marked: marked, detected: detected)
    found.withLock { $0 = faces }
    return faces
  }

  private static func detected(in context: ExecutionContext) throws(RenderError) -> [Face]? {
    if FaceDetector.library == nil { return nil }
    let header = context.header
    var graph = Graph()
    let upright = graph.append(.orient, graph.append(.original(shrink: 1)))
    let edge = min(FaceDetector.edge, mostEnlarged * header.shape.upright.longEdge)
    var resize = Resize(.longEdge(.pixels(edge)))
    resize.enlarge = true
    graph.addOutput("view", graph.append(.resize(resize), upright))
    let planned = graph.planned(for: header.shape, .balanced)
    var execution = try Execution(
      Pipeline(view: planned, header, .balanced, returned: []), context)
    do throws(RenderError) {
      let image = try execution.image(execution.lastCall)
      return try FaceDetector.faces(in: image.grey, Size(image.width, image.height))
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
  }
}

extension Image {
  /// The luma of each pixel of display-encoded floats, 0…255.
  fileprivate var grey: [UInt8] {
    get throws(RenderError) {
      let samples: [Float]
      do throws(VipsError) { samples = try self.samples(as: Float.self) } catch {
        throw RenderError(error)
      }
      return stride(from: 0, to: samples.count, by: bands).map { index in
        let luma =
          0.2126 * samples[index] + 0.7152 * samples[index + 1] + 0.0722 * samples[index + 2]
        return UInt8(min(max(0, 255 * luma), 255).rounded())
      }
    }
  }
}
