import PhotoRecipes

/// The names that cameras, Photos and raw developers give to a photo's companions.
///
/// A name that differs only in case matches if no file has exactly the name, because some of the
/// systems that files come from ignore case.
///
/// - Source: the files of Apple's Image Capture and iCloud; darktable's user manual, "sidecar
///   files"; Adobe, XMP Specification Part 3, "Sidecar files"; RawTherapee's
///   `Options::getProfilePath`.
struct PhotoNames {
  private let files: [ScannedFile]
  private var wholes: [FileName: [Int]] = [:]
  private var stems: [FileName: [Int]] = [:]

  init(_ files: [ScannedFile]) {
    self.files = files
    for index in files.indices where files[index].claim != .none {
      wholes[files[index].name.folded, default: []].append(index)
      stems[FileName(bytes: files[index].name.stem).folded, default: []].append(index)
    }
  }

  /// True if a photo has this stem, or, if `film` is true, a photo or a film.
  func has(stem: FileName, film: Bool) -> Bool {
    stems[stem.folded, default: []].contains { index in
      switch files[index].claim.family {
      case .photo, .raw, .picture: true
      case .video: film
      case .document, nil: false
      }
    }
  }

  /// The companion, completed with the photos to which it belongs.
  func resolve(_ companion: Companion) -> Companion {
    let subject = companion.subject
    switch companion.kind {
    case .edited, .film: return companion.of(photos(stem: subject), named: subject)
    case .originalAAE: return companion.of(photos(stem: subject), named: subject)
    case .aae:
      let photos = photos(stem: subject)
      if photos.isEmpty, let original = subject.withoutEnding("_O") {
        return Companion(file: companion.file, kind: .originalAAE, subject: original)
          .of(self.photos(stem: original), named: original)
      }
      return companion.of(photos, named: subject)
    case .xmp, .pp3:
      let photos = photos(whole: subject)
      if !photos.isEmpty { return companion.of(photos, named: subject) }
      if companion.kind == .xmp, let original = subject.withoutDuplicateNumber {
        let duplicated = self.photos(whole: original)
        if !duplicated.isEmpty { return companion.of(duplicated, named: original) }
      }
      return companion.of(self.photos(stem: subject), named: subject)
    }
  }

  private func photos(whole name: FileName) -> [FileName] {
    let found = wholes[name.folded, default: []].map { files[$0].name }
    return found.contains(name) ? [name] : found
  }

  private func photos(stem: FileName) -> [FileName] {
    let found = stems[stem.folded, default: []].map { files[$0].name }
    let exact = found.filter { $0.stem == stem.bytes }
    return exact.isEmpty ? found : exact
  }
}

extension Companion {
  /// Recognizes a companion by its extension alone.
  init?(byExtension file: ScannedFile) {
    let stem = FileName(bytes: file.name.stem)
    switch String(decoding: file.name.extension, as: UTF8.self).lowercased() {
    case "aae":
      let original = stem.withoutMark("O")
      self.init(file: file, kind: original == nil ? .aae : .originalAAE, subject: original ?? stem)
    case "xmp": self.init(file: file, kind: .xmp, subject: stem)
    case "pp3": self.init(file: file, kind: .pp3, subject: stem)
    default: return nil
    }
  }

  fileprivate func of(_ photos: [FileName], named subject: FileName) -> Companion {
    Companion(file: file, kind: kind, subject: subject, photos: photos)
  }
}

extension FileName {
  private static let camera = Array("IMG_".utf8)

  /// The name with ASCII letters in lower case.
  package var folded: FileName { FileName(bytes: bytes.map(\.foldedASCII)[...]) }

  func isEqualIgnoringCase(to other: FileName) -> Bool {
    bytes.count == other.bytes.count
      && bytes.lazy.map(\.foldedASCII).elementsEqual(other.bytes.lazy.map(\.foldedASCII))
  }

  /// True if the name may begin with `IMG_E`; a quick test that almost all files fail.
  var mayHaveMark: Bool {
    bytes.count > 5 && bytes[bytes.startIndex + 4] | 0x20 == UInt8(ascii: "e") && hasCameraPrefix
  }

  private var hasCameraPrefix: Bool {
    bytes.prefix(4).lazy.map(\.foldedASCII).elementsEqual(Self.camera.lazy.map(\.foldedASCII))
  }

  /// The name without the letter `mark` of an edited photo; nil for names without that letter and a
  /// number after it.
  ///
  /// For example `IMG_1 2` for `IMG_E1 2` with the mark `E`. The suffix of a copied file may follow
  /// the number: ` 2`, `(1)` or ` (1)`.
  func withoutMark(_ mark: Character) -> FileName? {
    guard hasCameraPrefix, let letter = mark.asciiValue, bytes.count > 5,
      bytes[bytes.startIndex + 4].foldedASCII == letter.foldedASCII
    else { return nil }
    let number = bytes.dropFirst(5)
    let rest = number.drop(while: \.isDigit)
    guard rest.startIndex > number.startIndex, rest.isCopyNumber else { return nil }
    return FileName(bytes: (Array(bytes.prefix(4)) + number)[...])
  }

  /// The name without `ending`, which may be in upper or lower case; nil if the name does not end
  /// with it, or is nothing else.
  func withoutEnding(_ ending: String) -> FileName? {
    let count = ending.utf8.count
    guard bytes.count > count,
      bytes.suffix(count).lazy.map(\.foldedASCII).elementsEqual(ending.utf8.map(\.foldedASCII))
    else { return nil }
    return FileName(bytes: bytes.dropLast(count))
  }

  /// The name without darktable's number of a duplicate: `photo.raw` for `photo_01.raw`.
  var withoutDuplicateNumber: FileName? {
    let stem = stem
    let digits = stem.reversed().prefix(while: \.isDigit).count
    let mark = stem.endIndex - digits - 1
    guard digits >= 2, mark > stem.startIndex, bytes[mark] == UInt8(ascii: "_") else { return nil }
    return FileName(bytes: (Array(bytes[..<mark]) + bytes[stem.endIndex...])[...])
  }
}

extension ArraySlice<UInt8> {
  /// True if the text is empty or the number of a copy: ` 2`, `(1)` or ` (1)`.
  fileprivate var isCopyNumber: Bool {
    guard !isEmpty else { return true }
    let isApart = first == UInt8(ascii: " ")
    let rest = isApart ? dropFirst() : self
    guard rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")") else {
      return isApart && !rest.isEmpty && rest.allSatisfy(\.isDigit)
    }
    let digits = rest.dropFirst().dropLast()
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var foldedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
