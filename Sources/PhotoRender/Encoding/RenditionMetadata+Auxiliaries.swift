import PhotoMetadata
import PhotoRecipes
import Vips

/// The mattes and the depth map of a rendition.
struct KeptAuxiliaries {
  var made: [AuxiliaryData] = []
  /// Warnings about the pictures that the rendition does not get.
  var warnings: [String] = []
  /// The kinds of the pictures that were made, or about which there is a warning.
  var handled: Set<Metadata.Attachment> = []
}

extension RenditionMetadata {
  /// Makes the mattes and the depth map of a rendition of this size.
  func kept(
    _ auxiliaries: PhotoAuxiliaries, for output: Output, _ rendition: Size
  ) -> KeptAuxiliaries {
    var kept = KeptAuxiliaries()
    guard output.keepsAuxiliaries, let coding = MapCoding(output.format) else { return kept }
    for data in auxiliaries.all {
      kept.handled.insert(data.attachment)
      do throws(Obstacle) {
        try checkSteps(output)
        let visible = try visiblePart(in: output)
        if data.kind == .depth { try checkDepth(auxiliaries, output, visible) }
        var picture = try rendered(
          data, of: auxiliaries, for: output,
          MapGeometry(
            visible: visible, photo: auxiliaries.photo, rendition: rendition, coding: coding,
            keepsShape: true))
        if let reason = picture.moveCalibration(
          to: rendition, of: auxiliaries.photo, visible.place)
        {
          kept.warnings.append(
            "the camera's calibration is not in the \(data.kind.title) of '\(output.name)': "
              + reason)
        }
        kept.made.append(picture)
      } catch {
        kept.warnings.append("the \(data.kind.title) is not in '\(output.name)': \(error.reason)")
      }
    }
    return kept
  }

  /// Checks that no step replaces parts of the photo.
  private func checkSteps(_ output: Output) throws(Obstacle) {
    if let step = (steps + output.steps).first(where: \.replacesPhoto) {
      let name = type(of: step.filter).name
      throw Obstacle(reason: "after the step '\(name)' it would not fit the picture")
    }
  }

  /// Checks that everything in a rendition has a depth.
  ///
  /// A matte covers nothing on borders and below drawings; but they have no depth.
  private func checkDepth(
    _ auxiliaries: PhotoAuxiliaries, _ output: Output, _ visible: VisiblePart
  ) throws(Obstacle) {
    if !auxiliaries.drawings.isEmpty(on: output) {
      throw Obstacle(reason: "what is drawn on the photo has no depth")
    }
    if !visible.fillsFrame { throw Obstacle(reason: "what surrounds the photo has no depth") }
  }

  private func rendered(
    _ data: AuxiliaryData, of auxiliaries: PhotoAuxiliaries, for output: Output,
    _ geometry: MapGeometry
  ) throws(Obstacle) -> AuxiliaryData {
    var detail: String
    do throws(RenderError) {
      let coverings = try auxiliaries.drawings.coverings(of: output)
      let picture = RenderedAuxiliary(data: data, geometry: geometry, coverings: coverings)
      do throws(VipsError) { return try picture.made() } catch { detail = error.reason }
    } catch {
      detail = error.message
    }
    throw Obstacle(reason: "it cannot be read: \(detail)")
  }
}

extension Metadata {
  /// The kinds of further pictures that a rendition with this metadata contains.
  var pictures: Set<Attachment> {
    Set(auxiliaries.map(\.attachment)).union(gainMap == nil ? [] : [.gainMap])
  }
}
