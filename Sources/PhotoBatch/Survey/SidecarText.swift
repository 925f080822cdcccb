import Glibc

/// The facts in a sidecar's text that a search finds without parsing the text.
struct SidecarText {
  /// Hashes of the names of all files that the sidecar records, each in the photo's folder.
  private(set) var names: [UInt64] = []
  /// A hash of all values that affect the path templates in the sidecar.
  private(set) var form = SidecarText.emptyHash

  /// Searches a text; nil if the text must be parsed: if it has escapes, if a name has other bytes
  /// than UTF-8, or if a file is in another folder.
  ///
  /// If the text is not valid JSON, the facts are meaningless, and the sidecar cannot be used.
  init?(_ text: [UInt8]) {
    let isPlain = unsafe text.withUnsafeBytes { unsafe search($0) }
    if !isPlain { return nil }
  }

  /// The keys whose values affect what the sidecar records, by the number of their bytes.
  private enum Key {
    case file, fileBytes, form, other

    init(_ text: UnsafeRawBufferPointer) {
      guard let start = text.baseAddress else {
        self = .other
        return
      }
      func equals(_ key: StaticString) -> Bool {
        unsafe memcmp(start, key.utf8Start, text.count) == 0
      }
      self =
        switch text.count {
        case 4 where equals("file"): .file
        case 4 where equals("name") || equals("path"): .form
        case 6 where equals("format") || equals("output"): .form
        case 7 where equals("variant"): .form
        case 9 where equals("fileBytes"): .fileBytes
        case 16 where equals("formatIdentifier"): .form
        default: .other
        }
    }
  }

  /// Returns false if the text must be parsed.
  private mutating func search(_ text: UnsafeRawBufferPointer) -> Bool {
    if unsafe Self.place(of: UInt8(ascii: "\\"), in: text, from: 0) != nil { return false }
    let quote = UInt8(ascii: "\"")
    var place = 0
    var last = Key.other
    while let opening = unsafe Self.place(of: quote, in: text, from: place),
      let closing = unsafe Self.place(of: quote, in: text, from: opening + 1)
    {
      let string = unsafe UnsafeRawBufferPointer(rebasing: text[(opening + 1)..<closing])
      place = closing + 1
      // A text such as "file" may also be a value; the key after it is then taken for its value.
      switch last {
      case .file:
        if unsafe Self.place(of: UInt8(ascii: "/"), in: string, from: 0) != nil { return false }
        names.append(unsafe Self.hash(string))
      case .form: form = unsafe Self.hash(string, after: form)
      case .fileBytes, .other: break
      }
      last = unsafe Key(string)
      if case .fileBytes = last { return false }
      if case .form = last { form = unsafe Self.hash(string, after: form) }
    }
    return true
  }

  /// The index of the first such byte at or after an index.
  private static func place(
    of byte: UInt8, in text: UnsafeRawBufferPointer, from first: Int
  ) -> Int? {
    guard first < text.count, let start = text.baseAddress,
      let found = unsafe memchr(start + first, Int32(byte), text.count - first)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - start
  }

  /// The hash by which a file with this name is found in `names`.
  static func hash(_ name: ArraySlice<UInt8>) -> UInt64 {
    unsafe name.withUnsafeBytes { unsafe hash($0) }
  }

  private static let emptyHash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The FNV-1a hash of bytes and their number, continued from another hash.
  private static func hash(
    _ bytes: UnsafeRawBufferPointer, after start: UInt64 = emptyHash
  ) -> UInt64 {
    var hash = (start ^ UInt64(bytes.count)) &* 0x100_0000_01B3
    for index in bytes.indices {
      hash = unsafe (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
    }
    return hash
  }
}
