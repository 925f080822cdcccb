public import PhotoLibrary
public import PhotoRecipes
public import SystemPackage

/// How one photo was edited, as its sidecar tells it.
public struct PhotoHistory: Sendable {
  /// From the library's root.
  public let path: FilePath
  /// Nil without a sidecar that can be read.
  public let sidecar: Sidecar?
  /// What is wrong with the sidecar.
  public let problem: (reason: Reason, detail: String)?

  /// Reads the sidecars of the photos that paths name, and nothing else.
  public static func read(
    _ paths: [FilePath], library: FilePath? = nil
  ) throws -> [PhotoHistory] {
    let named = try PhotoPaths(paths, library: library)
    let contents = LibraryContents(scanning: named.root)
    return contents.assets.filter { named.contains($0.path) }.map { asset in
      switch contents.sidecars[asset.path] {
      case nil: PhotoHistory(path: asset.path, sidecar: nil, problem: nil)
      case .usable(let sidecar, _):
        PhotoHistory(path: asset.path, sidecar: sidecar, problem: nil)
      case .unusable(let reason, let error):
        PhotoHistory(path: asset.path, sidecar: nil, problem: (reason, error.message))
      }
    }
  }

  /// The stacks in the order of the sidecar.
  private var variants: [String?] {
    var variants: [String?] = []
    let notes = sidecar?.reversions.map(\.variant) ?? []
    for variant in (sidecar?.adjustments.map(\.variant) ?? []) + notes
    where !variants.contains(variant) {
      variants.append(variant)
    }
    return variants
  }

  /// A line for the photo, and one for each edit.
  public var text: String {
    if let problem { return "\(path.displayed): \(problem.reason.rawValue): \(problem.detail)" }
    guard let sidecar, !variants.isEmpty else { return "\(path.displayed): no edits" }
    var lines = [path.displayed]
    for variant in variants {
      lines.append("  \(variant.map { "variant \($0)" } ?? "main")")
      for (index, entry) in sidecar.stack(variant).enumerated() {
        lines += entry.adjustment.lines.enumerated().map { number, line in
          number == 0 ? "    \(index + 1). \(line)" : "       \(line)"
        }
      }
      for note in sidecar.reversions where note.variant == variant {
        lines.append(
          "    reverted: \(note.formatIdentifier) \(note.formatVersion), \(note.date)")
      }
    }
    if let point = sidecar.focalPoint { lines.append("  focal point \(point.x), \(point.y)") }
    return lines.joined(separator: "\n")
  }

  public var json: JSON {
    var object = JSON.Object()
    let text = String(decoding: path.bytes, as: UTF8.self)
    object["file"] = .string(text)
    if Array(text.utf8) != path.bytes { object["fileBytes"] = .string(Base64.encode(path.bytes)) }
    object["problem"] = problem.map { .string($0.reason.rawValue) }
    object["stacks"] = .array(
      variants.map { variant in
        var entry = JSON.Object()
        entry["variant"] = variant.map(JSON.string)
        let edits = sidecar?.stack(variant).map(\.adjustment.summary) ?? []
        entry["adjustments"] = .array(edits)
        let notes = sidecar?.reversions.filter { $0.variant == variant } ?? []
        entry["reverted"] = notes.isEmpty ? nil : .array(notes.map(\.summary))
        return .object(entry)
      })
    return .object(object)
  }
}

extension Adjustment {
  /// What the adjustment is, in lines.
  fileprivate var lines: [String] {
    let name = "\(formatIdentifier) \(formatVersion)".trimmingSuffix(" ")
    if let foreign {
      var lines = ["\(name), by another program (\(foreign.kind): \(foreign.file.text)), \(date)"]
      if let current = foreign.current { lines.append("shows as \(current.file.text)") }
      return lines
    }
    var lines = ["\(name), \(date)"]
    if case .rendition(let file, _) = base { lines.append("from \(file.text)") }
    for member in overrides.members {
      lines.append("its own: \(member.key) = \(member.value.compactText)")
    }
    let current = current
    lines += renditions.map { rendition in
      "\(rendition.file.text) \(rendition.width)×\(rendition.height), \(rendition.bytes) bytes"
        + (rendition == current ? ", current" : "")
    }
    if renditions.isEmpty { lines.append("not rendered yet") }
    return lines
  }

  fileprivate var summary: JSON {
    var object = JSON.Object()
    object["identifier"] = .string(formatIdentifier)
    object["version"] = .string(formatVersion)
    object["date"] = .string(date)
    if let foreign {
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
    .object([
      "identifier": .string(formatIdentifier), "version": .string(formatVersion),
      "date": .string(date),
    ])
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
