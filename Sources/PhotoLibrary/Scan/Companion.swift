/// A file that belongs to a photo beside it: another program's edit, or the film of a Live Photo.
public struct Companion: Sendable, Hashable {
  public enum Kind: String, Sendable {
    /// Photos' adjustment: `IMG_1.AAE`, and `IMG_O1.AAE` for the camera's own.
    case aae
    /// `IMG_1.JPG.xmp` or `IMG_1.xmp`.
    case xmp
    /// RawTherapee's: `IMG_1.JPG.pp3`.
    case pp3
    /// The photo or film as Photos edited it: `IMG_E1.JPG` beside `IMG_1.…`.
    case edited
    /// The film of a Live Photo: `IMG_1.MOV` beside `IMG_1.HEIC`.
    case film
  }

  public let file: ScannedFile
  public let kind: Kind
  /// The photo's name, or its stem.
  public let subject: FileName
}

extension Companion {
  /// Tells a companion by its extension alone.
  init?(byExtension file: ScannedFile) {
    let kind: Kind
    switch String(decoding: file.name.extension, as: UTF8.self).lowercased() {
    case "aae": kind = .aae
    case "xmp": kind = .xmp
    case "pp3": kind = .pp3
    default: return nil
    }
    let stem = FileName(bytes: file.name.stem)
    self.init(
      file: file, kind: kind, subject: kind == .aae ? stem.withoutMark("O") ?? stem : stem)
  }
}

extension FileName {
  /// `IMG_1` for `IMG_E1`, with the mark `E`; nil for names that have no such mark and number.
  fileprivate func withoutMark(_ mark: Character) -> FileName? {
    let prefix = Array("IMG_\(mark)".utf8)
    let number = bytes.dropFirst(prefix.count)
    guard bytes.starts(with: prefix), !number.isEmpty,
      number.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    return FileName(bytes: (Array("IMG_".utf8) + number)[...])
  }
}

extension ScannedFolder {
  /// Moves those files to the companions that are some only because of a photo beside them.
  mutating func separateCompanions() {
    let candidates = files.indices.filter { Self.mayBeCompanion(files[$0]) }
    guard !candidates.isEmpty else { return }
    var photos: Set<FileName> = []
    var stems: Set<FileName> = []
    for file in files where file.claim != .none {
      let stem = FileName(bytes: file.name.stem)
      stems.insert(stem)
      if case .photo = file.claim { photos.insert(stem) }
    }
    var moved: Set<Int> = []
    for index in candidates {
      let file = files[index]
      let stem = FileName(bytes: file.name.stem)
      if let subject = stem.withoutMark("E"), stems.contains(subject) {
        companions.append(Companion(file: file, kind: .edited, subject: subject))
      } else if file.claim == .unsupported(.video), photos.contains(stem) {
        companions.append(Companion(file: file, kind: .film, subject: stem))
      } else {
        continue
      }
      moved.insert(index)
    }
    files = files.indices.filter { !moved.contains($0) }.map { files[$0] }
    companions.sort { $0.file.name < $1.file.name }
  }

  private static func mayBeCompanion(_ file: ScannedFile) -> Bool {
    switch file.claim {
    case .photo: file.name.hasPrefix("IMG_E")
    case .unsupported(let format):
      format == .video && (file.name.hasPrefix("IMG_E") || file.name.extension.isMovie)
    case .none: false
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isMovie: Bool { elementsEqual("MOV".utf8) || elementsEqual("mov".utf8) }
}
