import PhotoRecipes
import Vips

/// How an animation's frames follow one another.
public struct Animation: Sendable, Hashable {
  /// Of each frame, in milliseconds.
  public var delays: [Int]
  /// How often it is shown; 0: for ever.
  public var loop: Int

  /// Nil for what is no animation.
  init?(_ image: Image) {
    guard case .integers(let delays) = image.field("delay"), delays.count > 1 else { return nil }
    self.delays = delays
    loop = image.integer("loop") ?? 0
  }

  /// An image that says that it is this animation, of frames below one another.
  func labelled(_ frames: Image, count: Int) throws(VipsError) -> Image {
    try frames.setting([
      "page-height": .integer(frames.height / count), "n-pages": .integer(count),
      "delay": .integers(delays), "loop": .integer(loop),
    ])
  }
}

/// The frames of a rendition, made one after the other.
private struct MadeFrames {
  let count: Int
  private let inFile: Bool
  private var images: [Image] = []
  private var stack: ImageStack?

  init(count: Int, inFile: Bool) {
    self.count = count
    self.inFile = inFile
  }

  /// Renders a frame, into memory or into the file.
  mutating func add(_ frame: Image) throws(VipsError) {
    if !inFile { return images.append(try frame.materialized()) }
    if stack == nil { stack = try ImageStack(of: frame, count: count) }
    try stack?.add(frame)
  }

  /// All of them below one another.
  func joined() throws(VipsError) -> Image {
    if let stack { return try stack.image() }
    return try Image.calling("arrayjoin", ["in": .images(images), "across": .integer(1)])
      .image("out")
  }
}

/// The frames of an animation, decoded once.
struct AnimationFrames {
  private let all: Image
  private let size: Size
  let count: Int

  /// Decodes all frames of a file into memory, or into a file.
  init(_ input: DecoderInput, _ header: PhotoHeader, inFile: Bool) throws(VipsError) {
    let tall = try input.image(["n": .integer(-1)], ifSupported: ["fail-on": .choice("truncated")])
    all = try tall.materialized(inFile: inFile)
    size = header.stored
    count = all.height / size.height
  }

  /// A frame, counted from 0.
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
  /// Writes outputs that hold animations with all frames, each of them made by the whole pipeline.
  ///
  /// Filters that look at the photo have seen its first frame: what they found holds for all, so that
  /// nothing flickers.
  /// - Parameters:
  ///   - writers: By the number of their output.
  ///   - header: Of the photo.
  /// - Returns: What came of each, by its number.
  /// - Throws: Why the first that failed did.
  func writeAnimations(
    _ writers: [Int: OutputWriter], _ header: PhotoHeader
  ) throws(RenderError) -> [Int: Encoder.Written] {
    guard let animation = header.animation, !writers.isEmpty else { return [:] }
    var made: [Int: MadeFrames] = [:]
    do throws(VipsError) {
      let frames = try AnimationFrames(input, header, inFile: holding.spills)
      for number in 0..<frames.count {
        var own = self
        own.frame = try frames[number]
        for output in writers.keys.sorted() {
          let image: Image
          do throws(RenderError) { image = try own.image(pipeline.outputs[output].call) } catch {
            throw .failed(operation: "frame \(number + 1)", detail: error.message)
          }
          try made[output, default: MadeFrames(count: frames.count, inFile: holding.spills)]
            .add(image)
        }
      }
    } catch {
      throw RenderError(error)
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
