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

  /// Images of one size below one another, as libvips has the frames of an animation.
  func joined(_ frames: [Image]) throws(VipsError) -> Image {
    guard let first = frames.first else {
      throw .failed(operation: "animation", detail: "there are no frames")
    }
    return try Image.calling("arrayjoin", ["in": .images(frames), "across": .integer(1)])
      .image("out").setting([
        "page-height": .integer(first.height), "n-pages": .integer(frames.count),
        "delay": .integers(delays), "loop": .integer(loop),
      ])
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
    var made: [Int: [Image]] = [:]
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
          made[output, default: []].append(try image.materialized(inFile: holding.spills))
        }
      }
    } catch {
      throw RenderError(error)
    }
    var written: [Int: Encoder.Written] = [:]
    for (number, writer) in writers.sorted(by: { $0.key < $1.key }) {
      let image: Image
      do throws(VipsError) { image = try animation.joined(made[number] ?? []) } catch {
        throw RenderError(error)
      }
      written[number] = try writer.encoder.write(image, to: writer.target, spills: writer.spills)
    }
    return written
  }
}
