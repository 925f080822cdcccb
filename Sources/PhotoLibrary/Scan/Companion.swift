import PhotoRecipes

/// A file that belongs to a photo beside it: another program's edit, or the film of a Live Photo.
public struct Companion: Sendable, Hashable {
  public enum Kind: String, Sendable {
    /// An adjustment by Photos: `IMG_1.AAE`.
    case aae
    /// The camera's own edit at the time of capture, for example of a portrait: `IMG_O1.AAE`,
    /// `NAME_O.AAE`.
    case originalAAE = "original-aae"
    /// An XMP sidecar: `IMG_1.JPG.xmp` or `IMG_1.xmp`; `IMG_1_01.JPG.xmp` belongs to a duplicate in
    /// darktable.
    case xmp
    /// A profile by RawTherapee: `IMG_1.JPG.pp3`.
    case pp3
    /// The photo or film edited by Photos: `IMG_E1.JPG` beside `IMG_1.…`.
    case edited
    /// The film of a Live Photo: `IMG_1.MOV` beside `IMG_1.HEIC`.
    case film
  }

  public let file: ScannedFile
  public let kind: Kind
  /// The name or the stem of the photo, as the companion's name contains it.
  public let subject: FileName
  /// The photos of the folder to which the companion may belong, sorted by name: more than one if a
  /// raw file and a JPEG share a stem.
  public internal(set) var photos: [FileName] = []
}

extension Companion {
  /// True if the companion's name contains the photo's whole name, with its extension.
  public var namesWholePhoto: Bool { photos.contains { $0.isEqualIgnoringCase(to: subject) } }
}

extension ScannedFolder {
  /// Finds the files that are companions only because there is a photo beside them, and moves these
  /// files to the list of companions.
  ///
  /// Then finds the photos of all companions.
  mutating func separateCompanions() {
    let candidates = files.indices.filter { Self.mayBeCompanion(files[$0]) }
    guard !candidates.isEmpty || !companions.isEmpty else { return }
    let names = PhotoNames(files)
    var moved: Set<Int> = []
    for index in candidates {
      let file = files[index]
      let stem = FileName(bytes: file.name.stem)
      let isFilm = file.claim.family == .video
      if let subject = stem.withoutMark("E"), names.has(stem: subject, film: isFilm) {
        companions.append(Companion(file: file, kind: .edited, subject: subject))
      } else if isFilm, names.has(stem: stem, film: false) {
        companions.append(Companion(file: file, kind: .film, subject: stem))
      } else {
        continue
      }
      moved.insert(index)
    }
    if !moved.isEmpty { files = files.indices.filter { !moved.contains($0) }.map { files[$0] } }
    companions.sort { $0.file.name < $1.file.name }
    assignCompanions(moved.isEmpty ? names : PhotoNames(files))
  }

  private mutating func assignCompanions(_ names: PhotoNames) {
    for index in companions.indices {
      companions[index] = names.resolve(companions[index])
      for photo in companions[index].photos { companionsByPhoto[photo, default: []].append(index) }
    }
  }

  private static func mayBeCompanion(_ file: ScannedFile) -> Bool {
    switch file.claim {
    case .photo: file.name.mayHaveMark
    case .unsupported(let format):
      format.family == .video && (file.name.mayHaveMark || file.name.extension.isMovie)
    case .none: false
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isMovie: Bool { count == 3 && map { $0 | 0x20 }.elementsEqual("mov".utf8) }
}
