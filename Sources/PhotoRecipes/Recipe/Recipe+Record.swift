public import Notation

extension Recipe {
  /// The keys of a record; other keys belong to later versions and are ignored.
  public static let recordKeys = [
    "filters", "highlights", "inputs", "outputs", "rendering", "title",
  ]

  /// The resolved settings as recorded in a sidecar, sufficient to recreate the edit.
  public var record: JSON {
    var object = JSON.Object()
    object["filters"] = .array(steps.map(\.json))
    object["outputs"] = .array(outputs.map(\.json))
    object["inputs"] = inputs.sparse
    if rendering != .balanced { object["rendering"] = .string(rendering.rawValue) }
    if rolloff != .soft { object[HighlightRolloff.key] = rolloff.object }
    if let title { object["title"] = .string(title) }
    return .object(object)
  }

  /// The record with the recipe's identifier, version and variant, as sent to a worker;
  /// `init(resolved:)` reads it.
  public var resolved: JSON {
    var object = record.object ?? JSON.Object()
    object["identifier"] = .string(identifier)
    object["version"] = .string("\(version)")
    object["variant"] = variant.map(JSON.string)
    return .object(object)
  }

  /// Reads the JSON of `resolved`, or of `record` with the identifier, version and variant added.
  ///
  /// - Throws: All errors of settings that are invalid in this version of phbatch.
  public init(resolved: JSON) throws(InvalidDocument) {
    var diagnostics = Diagnostics()
    let recipe = Recipe(Field(resolved), &diagnostics)
    try diagnostics.check()
    guard let recipe else { throw InvalidDocument(diagnostics: []) }
    self = recipe
  }

  /// The input of the settings digest: exactly the settings that affect the appearance of
  /// renditions.
  ///
  /// `files` contains the SHA-256 of every file that the recipe names, by its path as written.
  /// `revisions` replace the revisions of the filters, and of the setting `gamut`, with these names.
  public func fingerprint(files: [String: String], revisions: [String: Int] = [:]) -> JSON {
    func step(_ step: Step) -> JSON {
      var object = step.json.object ?? JSON.Object()
      object["id"] = nil
      let filter = type(of: step.filter)
      object["revision"] = .integer(revisions[filter.name] ?? filter.revision)
      return .object(object)
    }
    let active = { (steps: [Step]) in steps.filter { !$0.isIdentity } }
    var object = JSON.Object()
    object["filters"] = .array(active(steps).map(step))
    object["outputs"] = .array(
      outputs.map { output in
        var object = output.json.object ?? JSON.Object()
        for key in output.keysWithoutEffect { object[key] = nil }
        object["filters"] = .array(active(output.steps).map(step))
        let revision = revisions[GamutMapping.key] ?? GamutMapping.revision
        // Digests of revision 1 have no such member.
        if output.gamut == .perceptual && revision > 1 {
          object["gamutRevision"] = .integer(revision)
        }
        let light = revisions[Self.lightKey] ?? Self.lightRevision
        if measuresLight(for: output) && light > 1 { object["lightRevision"] = .integer(light) }
        return .object(object)
      })
    object["rendering"] = .string(rendering.rawValue)
    if rolloff != .soft { object[HighlightRolloff.key] = rolloff.object }
    object["inputs"] = inputs.looks.sparse
    let digests = files.sorted { $0.key < $1.key }.map { JSON.Object.Member($0, .string($1)) }
    object["files"] = .object(JSON.Object(digests))
    return .object(object)
  }
}

extension Recipe {
  /// The name of the revision of what steps measure for HDR displays.
  private static let lightKey = "light above white"
  /// The version of what steps measure for HDR displays, as a filter's `revision`.
  private static let lightRevision = 2

  /// True if a step of the output measures the photo for HDR displays.
  private func measuresLight(for output: Output) -> Bool {
    (output.hdr != nil || output.rebuildsGainMap)
      && (steps + output.steps).contains {
        !$0.isIdentity && ($0.filter is any MeasuringOperation || $0.filter is Auto)
      }
  }

  /// The revisions of the filters in all steps, of the setting `gamut` where an output has it, and of
  /// what is measured for HDR displays, by name.
  public var revisions: [String: Int] {
    let filters = (steps + outputs.flatMap(\.steps)).map { type(of: $0.filter) }
    var revisions = Dictionary(filters.map { ($0.name, $0.revision) }) { first, _ in first }
    if outputs.contains(where: { $0.gamut == .perceptual }) {
      revisions[GamutMapping.key] = GamutMapping.revision
    }
    if outputs.contains(where: measuresLight) { revisions[Self.lightKey] = Self.lightRevision }
    return revisions
  }
}

extension Output {
  /// The keys that change nothing in a rendition without metadata whose format stores no maps.
  ///
  /// Version 1.0 did not write them for the placeholder of a web set; without them, its digest is the
  /// same.
  fileprivate var keysWithoutEffect: [String] {
    let format = type(of: format)
    guard metadata.preset == .none else { return [] }
    return (format.holdsGainMap ? [] : [GainMapTreatment.key])
      + (format.holdsAuxiliaries ? [] : [AuxiliaryTreatment.key])
  }

  /// The output as JSON in a recipe, without values that are at their defaults.
  public var json: JSON {
    let defaults = Output.usual(name, format)
    var object = format.sparse
    object["name"] = .string(name)
    object["format"] = .string(type(of: format).name)
    if path != defaults.path { object["path"] = .string(path) }
    if !steps.isEmpty { object["filters"] = .array(steps.map(\.json)) }
    if profile != usualProfile(defaults.profile) { object["profile"] = profile.json }
    if intent != defaults.intent { object["intent"] = intent.json }
    if gamut != defaults.gamut { object[GamutMapping.key] = .string(gamut.rawValue) }
    if let rolloff { object[HighlightRolloff.key] = rolloff.object }
    if let gainMap { object[GainMapTreatment.key] = .string(gainMap.rawValue) }
    if let auxiliary { object[AuxiliaryTreatment.key] = .string(auxiliary.rawValue) }
    if let hdr { object[HDRTransfer.key] = .string(hdr.rawValue) }
    if let frame { object[FilmMoment.key] = frame.json }
    preview?.write(to: &object)
    range.write(to: &object)
    if let live { object[LiveTreatment.key] = .string(live.rawValue) }
    if metadata != defaults.metadata { object["metadata"] = metadata.json }
    if isCurrent { object["current"] = .bool(true) }
    if let dpi { object["dpi"] = .number(dpi) }
    if let dither { object["dither"] = .bool(dither) }
    object["minWidth"] = minWidth.map(JSON.integer)
    budget.write(to: &object, for: format)
    return .object(object)
  }
}
