public import FileStructure

/// Describes the parts of a file as text, so that a user can find out why a photo is rendered in an
/// unexpected way.
public enum ContainerDescription {
  /// One line for each notable part; empty for formats without such parts.
  public static func lines(of source: ByteSource) -> [String] {
    let format = ContainerFormat(of: source)
    let film = format.flatMap { EmbeddedFilm.line(of: source, $0) }
    return parts(of: source, format) + (film.map { [$0] } ?? [])
  }

  private static func parts(of source: ByteSource, _ format: ContainerFormat?) -> [String] {
    switch format {
    case .jpeg: JPEGFile(source).parts
    case .png: PNGFile(source).parts
    case .heif: HEIFFile(source)?.parts ?? []
    case .jxl: JXLFile(source)?.parts ?? []
    case .webp, .tiff, .gif: []
    case nil: JP2File(source)?.parts ?? []
    }
  }
}

extension JPEGFile {
  fileprivate var parts: [String] {
    let hasMap = segments.contains { content($0, after: Signature.gainMap) != nil }
    return otherPictures.map { "after the photo: \($0.kind.rawValue), \($0.length) bytes" }
      + (googleDepth.map { ["described in the XMP: depth map, \($0.picture.count) bytes"] } ?? [])
      + (hasMap ? ["says that it has a gain map (ISO 21496-1)"] : [])
  }
}

extension PNGFile {
  fileprivate var parts: [String] {
    var names: [(name: String, count: Int)] = []
    for chunk in chunks {
      if names.last?.name == chunk.name {
        names[names.count - 1].count += 1
      } else {
        names.append((chunk.name, 1))
      }
    }
    let words = names.prefix(40).map { $0.count > 1 ? "\($0.count) × \($0.name)" : $0.name }
    return ["chunks: \(words.joined(separator: ", "))"]
  }
}

extension JP2File {
  fileprivate var parts: [String] {
    isBare
      ? ["a codestream without boxes"] : ["boxes: \(boxes.map(\.name).joined(separator: ", "))"]
  }
}

extension JXLFile {
  fileprivate var parts: [String] {
    isBare
      ? ["a codestream without boxes"] : ["boxes: \(boxes.map(\.name).joined(separator: ", "))"]
  }
}

extension HEIFFile {
  /// One line for each item that is not a tile of a grid; at most 60 lines.
  fileprivate var parts: [String] {
    let grids = Set(items.filter { $0.type == "grid" }.map(\.item))
    let tiles = Set(
      references.filter { $0.kind == "dimg" && grids.contains($0.item) }.flatMap(\.targets))
    return items.filter { !tiles.contains($0.item) }.prefix(60).map { item in
      let own = references.filter { $0.item == item.item }
      var words = ["item \(item.item): \(kind(item))"]
      if let size = size(of: item.item) { words.append("\(size.width)x\(size.height)") }
      if item.type == "grid" {
        words.append("\(own.filter { $0.kind == "dimg" }.flatMap(\.targets).count) tiles")
      }
      words += transformations(of: item.item)
      if item.item == primary { words.append("the primary picture") }
      words += own.compactMap(Self.words)
      return words.joined(separator: ", ")
    }
  }

  private func kind(_ item: HEIFItem) -> String {
    item.contentType.isEmpty ? item.type : "\(item.type) \(item.contentType)"
  }

  private func transformations(of item: Int) -> [String] {
    properties(of: item).compactMap { box in
      let value = source.number(at: box.content.lowerBound, 1, .big) ?? 0
      switch box.name {
      case "irot": return value & 3 == 0 ? nil : "rotated \((value & 3) * 90)° counterclockwise"
      case "imir": return value & 1 == 0 ? "flipped upside down" : "mirrored"
      case "clap": return "cropped"
      case "auxC": return auxiliaryType(box)
      default: return nil
      }
    }
  }

  private static func words(_ reference: Reference) -> String? {
    let targets = reference.targets.prefix(4).map(String.init).joined(separator: " and ")
    switch reference.kind {
    case "thmb": return "a thumbnail of \(targets)"
    case "auxl": return "auxiliary to \(targets)"
    case "cdsc": return "describes \(targets)"
    case "dimg" where reference.targets.count < 4: return "made of \(targets)"
    default: return nil
    }
  }
}
