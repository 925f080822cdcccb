import Glibc

/// The file names in a sidecar's text that a search finds without parsing the text.
enum PlainNames {
  /// The values of all members with the key `file`; nil if the text must be parsed: if it has escapes,
  /// if a name has other bytes than UTF-8, or if a name has a folder.
  static func recorded(in text: [UInt8]) -> [ArraySlice<UInt8>]? {
    if place(of: UInt8(ascii: "\\"), in: text, from: 0) != nil { return nil }
    var names: [ArraySlice<UInt8>] = []
    var rest = 0
    var isName = false
    while let string = nextString(text, &rest) {
      if isName {
        if string.contains(UInt8(ascii: "/")) { return nil }
        names.append(string)
      }
      if string.count == 9 && string.elementsEqual("fileBytes".utf8) { return nil }
      // The text "file" may also be a value; the key after it is then taken for a name, too.
      isName = string.count == 4 && string.elementsEqual("file".utf8)
    }
    return names
  }

  /// The content of the next string; the place moves behind it.
  private static func nextString(_ text: [UInt8], _ place: inout Int) -> ArraySlice<UInt8>? {
    let quote = UInt8(ascii: "\"")
    guard let start = Self.place(of: quote, in: text, from: place),
      let end = Self.place(of: quote, in: text, from: start + 1)
    else { return nil }
    place = end + 1
    return text[(start + 1)..<end]
  }

  /// The index of the first such byte at or after an index.
  private static func place(of byte: UInt8, in text: [UInt8], from first: Int) -> Int? {
    unsafe text.withUnsafeBytes { bytes -> Int? in
      guard first < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + first, Int32(byte), bytes.count - first)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
