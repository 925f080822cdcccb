public import Notation
public import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The edits of one photo, as its sidecar records them.
public struct PhotoHistory: Sendable {
  /// The path from the library's root.
  public let path: FilePath
  /// The photo's sidecar; nil if there is no readable sidecar.
  public let sidecar: Sidecar?
  /// The problem with the sidecar or with another program's edit, as a reason and its detail; nil
  /// if there is no problem.
  public let problem: (reason: Reason, detail: String)?
  /// The edits that other programs left beside the photo and that no run has recorded in their
  /// current state.
  var found: [Adjustment] = []

  /// Reads the edits of the named photos, including missing photos that still have a sidecar.
  ///
  /// `warn` receives the errors of folders and files that cannot be read and may concern them.
  public static func read(
    _ paths: [FilePath], library: FilePath? = nil, warn: (any UserError) -> Void = { _ in }
  ) throws -> [PhotoHistory] {
    try read(PhotoPaths(paths, library: library), warn)
  }

  /// Reads the edits of photos in a library that is known, even if no run has written into its
  /// output root yet.
  package static func read(_ paths: [FilePath], in root: OutputRoot) throws -> [PhotoHistory] {
    try read(PhotoPaths(paths, in: root)) { _ in }
  }

  private static func read(
    _ named: PhotoPaths, _ warn: (any UserError) -> Void
  ) throws -> [PhotoHistory] {
    let digests = KnownDigests(in: named.root)
    let contents = named.contents(digests)
    for error in contents.problems where named.isAffected(by: error) { warn(error) }
    let photos = contents.assets.filter { named.contains($0.path) }
    let missing = contents.missingOriginals(of: named.root).filter(named.contains)
    return missing.map { path in
      PhotoHistory(
        path: path, sidecar: contents.sidecars[path]?.sidecar,
        problem: (.originalMissing, "the sidecar still exists"))
    }
      + photos.map { asset in
        if case .unusable(let reason, let error)? = contents.sidecars[asset.path] {
          return PhotoHistory(
            path: asset.path, sidecar: nil, problem: (reason, error.message))
        }
        let sidecar = contents.sidecars[asset.path]?.sidecar
        do throws(PhotoFailure) {
          let foreign = try ForeignEdits(
            of: asset, in: contents, named.root.library, digests, date: "")
          let main = sidecar?.stack(nil).map(\.adjustment) ?? []
          return PhotoHistory(
            path: asset.path, sidecar: sidecar, problem: nil, found: foreign.unrecorded(in: main))
        } catch {
          return PhotoHistory(
            path: asset.path, sidecar: sidecar, problem: (error.reason, error.detail ?? ""))
        }
      }
  }

  /// The variants of all stacks in the order of the sidecar; nil is the main stack.
  private var variants: [String?] {
    var variants: [String?] = []
    let notes = (found.isEmpty ? [] : [nil]) + (sidecar?.reversions.map(\.variant) ?? [])
    for variant in (sidecar?.adjustments.map(\.variant) ?? []) + notes
    where !variants.contains(variant) {
      variants.append(variant)
    }
    return variants
  }

  /// A line for the photo, and one for each edit.
  public var text: String {
    let flaw = problem.map { ": \($0.reason.rawValue): \($0.detail)" }
    if variants.isEmpty { return "\(path.displayed)\(flaw ?? ": no edits")" }
    var lines = ["\(path.displayed)\(flaw ?? "")"]
    for variant in variants {
      lines.append("  \(variant.map { "variant \($0)" } ?? "main")")
      for (index, entry) in (sidecar?.stack(variant) ?? []).enumerated() {
        lines += entry.adjustment.lines.enumerated().map { number, line in
          number == 0 ? "    \(index + 1). \(line)" : "       \(line)"
        }
      }
      if variant == nil {
        for edit in found {
          lines += edit.lines.enumerated().map { "\($0 == 0 ? "    found: " : "      ")\($1)" }
        }
      }
      for note in sidecar?.reversions ?? [] where note.variant == variant {
        lines.append(
          "    reverted: \(note.formatIdentifier) \(note.formatVersion), \(note.date)")
      }
    }
    for kept in sidecar?.kept ?? [] {
      lines.append("  kept: \(kept.rendition.file.displayed), changed by hand")
    }
    if let point = sidecar?.focalPoint { lines.append("  focal point \(point.x), \(point.y)") }
    return lines.joined(separator: "\n")
  }

  public var json: JSON {
    var object = JSON.Object(photo: path, problem: problem?.reason)
    object["stacks"] = .array(
      variants.map { variant in
        let edits = sidecar?.stack(variant).map(\.adjustment.summary) ?? []
        var entry = JSON.Object(stack: variant, edits: edits)
        let found = variant == nil ? found : []
        entry["found"] = found.isEmpty ? nil : .array(found.map(\.summary))
        let notes = sidecar?.reversions.filter { $0.variant == variant } ?? []
        entry["reverted"] = notes.isEmpty ? nil : .array(notes.map(\.summary))
        return .object(entry)
      })
    return .object(object)
  }
}

extension Adjustment {
  /// The lines that describe the adjustment.
  fileprivate var lines: [String] {
    let name = "\(formatIdentifier) \(formatVersion)".trimmingSuffix(" ")
    if let foreign {
      let maker =
        foreign.kind == ForeignRecord.adopted
        ? "changed by hand and adopted"
        : "by another program (\(foreign.kind): \(foreign.file.displayed))"
      var lines = ["\(name), \(maker), \(date.isEmpty ? "not recorded by a run yet" : date)"]
      if let current = foreign.current { lines.append("current image: \(current.file.displayed)") }
      return lines
    }
    var lines = ["\(name), \(date)"]
    if case .rendition(let file, _) = base { lines.append("from \(file.displayed)") }
    for member in overrides.members {
      lines.append("own setting: \(member.key) = \(member.value.compactText)")
    }
    let current = current
    lines += renditions.map { rendition in
      "\(rendition.file.displayed) \(rendition.width)×\(rendition.height), \(rendition.bytes) bytes"
        + (rendition == current ? ", current" : "")
    }
    if renditions.isEmpty {
      lines.append(settings.isEmpty ? "not rendered yet" : "the renditions were changed by hand")
    }
    return lines
  }

  fileprivate var summary: JSON {
    var object = JSON.Object(edit: formatIdentifier, version: formatVersion, date: date)
    if let foreign {
      if date.isEmpty { object["date"] = nil }
      object["foreign"] = .string(foreign.kind)
      object["file"] = .string(foreign.file.text)
      object["current"] = foreign.current.map { .string($0.file.text) }
      return .object(object)
    }
    if case .rendition(let file, _) = base { object["base"] = .string(file.text) }
    if !overrides.members.isEmpty { object["overrides"] = .object(overrides) }
    object["renditions"] = .array(renditions.map { .string($0.file.text) })
    object["current"] = current.map { .string($0.file.text) }
    return .object(object)
  }
}

extension Reversion {
  fileprivate var summary: JSON {
    .object(JSON.Object(edit: formatIdentifier, version: formatVersion, date: date))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
