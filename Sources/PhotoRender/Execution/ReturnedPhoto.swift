import FoundationEssentials
import Glibc
import PhotoRecipes
import Vips

/// A photo that an external program returned, with the header fields of the photo that phbatch
/// passed to the program.
struct ReturnedPhoto: Sendable {
  let header: PhotoHeader
  private let file: TemporaryFile
  /// The header fields of the original photo; most programs do not keep them.
  private let fields: [String: Vips.Field?]

  /// Reads the header of a program's output, and all its pixels once to check them.
  ///
  /// - Parameters:
  ///   - file: The program's output.
  ///   - step: The step that runs the program.
  ///   - photo: The image that the program was given.
  ///   - limits: The limits of photos.
  /// - Throws: `ExternalFailure` if the output cannot take the photo's place.
  init(
    _ file: TemporaryFile, of step: External, for photo: Image, _ limits: RenderLimits
  ) throws(ExternalFailure) {
    self.file = file
    let program = "'\(step.program)'"
    if file.size == 0 {
      throw ExternalFailure(
        "\(program) wrote nothing", hint: "make it write the photo to its stdout")
    }
    do throws(RenderError) {
      header = try PhotoHeader(of: .descriptor(file.descriptor), InputSettings())
    } catch {
      throw ExternalFailure(
        "the output of \(program) is not an image that can be read",
        hint: "make it write only a TIFF image to its stdout")
    }
    do throws(RenderError) { try limits.check(header) } catch {
      throw ExternalFailure("the output of \(program): \(error.message)", hint: error.hint)
    }
    let size = Size(photo.width, photo.height)
    if header.stored != size && !step.resizes {
      throw ExternalFailure(
        "\(program) returned \(header.stored) pixels instead of \(size)",
        hint: "set \"resizes\": true if the program may change the size")
    }
    fields = Self.kept(photo)
    do throws(VipsError) { _ = try Image.calling("avg", ["in": .image(opened())]) } catch {
      throw ExternalFailure(
        "the output of \(program) is damaged: \(error.reason)",
        hint: "make it write only a TIFF image to its stdout")
    }
  }

  /// The returned image with the header fields of the original photo.
  func image() throws(VipsError) -> Image {
    let image = try opened()
    var changes: [String: Vips.Field?] = [:]
    for name in image.metadataNames where !Self.own.contains(name) {
      changes.updateValue(nil, forKey: name)
    }
    return try image.setting(changes.merging(fields) { $1 })
  }

  private func opened() throws(VipsError) -> Image {
    let input: DecoderInput
    do throws(RenderError) {
      input = try PhotoFile.descriptor(file.descriptor).input(for: header)
    } catch {
      throw .failed(operation: "load", detail: error.message)
    }
    return try input.image(
      ifSupported: ["access": .choice("sequential"), "fail-on": .choice("truncated")])
  }

  private static func kept(_ photo: Image) -> [String: Vips.Field?] {
    var fields: [String: Vips.Field?] = [:]
    for name in photo.metadataNames where !own.contains(name) {
      switch photo.field(name) {
      case nil, .other, .image: break
      case let field?: fields[name] = field
      }
    }
    return fields
  }

  /// Fields that are taken from the file that the program returned, because they describe how its
  /// pixels must be read.
  private static let own = ["icc-profile-data", "vips-sequential", "vips-loader", "orientation"]
}
