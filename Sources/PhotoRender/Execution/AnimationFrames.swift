import PhotoRecipes
import Vips

/// The rendered frames of one rendition, in order.
struct MadeFrames {
  let count: Int
  private let inFile: Bool
  private var images: [Image] = []
  private var stack: ImageStack?

  init(count: Int, inFile: Bool) {
    self.count = count
    self.inFile = inFile
  }

  /// Renders a frame into memory, or into a temporary file.
  mutating func add(_ frame: Image) throws(VipsError) {
    if !inFile { return images.append(try frame.materialized()) }
    if stack == nil { stack = try ImageStack(of: frame, count: count) }
    try stack?.add(frame)
  }

  /// Returns all frames as one image, stacked vertically.
  func joined() throws(VipsError) -> Image {
    if let stack { return try stack.image() }
    return try Image.calling("arrayjoin", ["in": .images(images), "across": .integer(1)])
      .image("out")
  }
}

/// The frames of an animation, which are decoded only once.
struct AnimationFrames {
  private let all: Image
  private let size: Size
  let count: Int

  /// Decodes all frames of a file into memory, or into a temporary file.
  init(_ input: DecoderInput, _ header: PhotoHeader, inFile: Bool) throws(VipsError) {
    let tall = try input.image(["n": .integer(-1)], ifSupported: ["fail-on": .choice("truncated")])
    all = try tall.materialized(inFile: inFile)
    size = header.stored
    count = all.height / size.height
  }

  /// The frame with this index, counted from 0.
  subscript(number: Int) -> Image {
    get throws(VipsError) {
      try all.applying(
        "extract_area",
        [
          "left": .integer(0), "top": .integer(number * size.height),
          "width": .integer(size.width), "height": .integer(size.height),
        ]
      ).setting(["page-height": nil, "n-pages": nil, "delay": nil, "loop": nil])
    }
  }
}

extension Execution {
  /// Writes outputs that contain all frames of an animation; the whole pipeline renders each frame.
  ///
  /// Filters that measure the photo have measured the animation's first frame. Their values are used
  /// for all frames, so that the animation does not flicker; only places are measured in each frame.
  ///
  /// - Parameters:
  ///   - writers: The writers, by the index of their output.
  ///   - header: The photo's header.
  ///   - progress: Called after each frame with the number of frames that are done, and of all.
  /// - Returns: The result of each writer, by the index of its output.
  /// - Throws: The error of the first output that failed.
  func writeAnimations(
    _ writers: [Int: OutputWriter], _ header: PhotoHeader,
    _ progress: ((_ frames: Int, _ all: Int) -> Void)?
  ) throws(RenderError) -> [Int: Encoder.Written] {
    guard let animation = header.animation, !writers.isEmpty else { return [:] }
    var made: [Int: MadeFrames] = [:]
    let frames: AnimationFrames
    do throws(VipsError) {
      frames = try AnimationFrames(input, header, inFile: resources.spills)
    } catch {
      throw RenderError(error)
    }
    for number in 0..<frames.count {
      do throws(RenderError) {
        let frame: Image
        do throws(VipsError) { frame = try frames[number] } catch { throw RenderError(error) }
        var own = try showing(frame)
        for (output, writer) in writers.sorted(by: { $0.key < $1.key }) {
          let image = try own.image(pipeline.outputs[output].call)
          do throws(VipsError) {
            try made[output, default: MadeFrames(count: frames.count, inFile: resources.spills)]
              .add(writer.encoder.filled(image))
          } catch {
            throw RenderError(error)
          }
        }
      } catch {
        throw error.of(frame: number + 1)
      }
      progress?(number + 1, frames.count)
    }
    var written: [Int: Encoder.Written] = [:]
    for (number, writer) in writers.sorted(by: { $0.key < $1.key }) {
      guard let frames = made[number] else { continue }
      let image: Image
      do throws(VipsError) {
        image = try animation.labelled(frames.joined(), count: frames.count)
      } catch {
        throw RenderError(error)
      }
      written[number] = try writer.encoder.write(image, to: writer.target, spills: writer.spills)
    }
    return written
  }
}

extension RenderError {
  /// The same error; if the photo is unreadable, the reason names the frame, counted from 1.
  fileprivate func of(frame: Int) -> RenderError {
    guard case .unreadable(let detail) = self else { return self }
    return .unreadable("frame \(frame): \(detail)")
  }
}
