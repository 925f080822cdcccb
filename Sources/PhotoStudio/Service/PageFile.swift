import StudioPage

/// A file of the page, which is part of the program.
struct PageFile: Sendable {
  let type: String
  let bytes: [UInt8]

  /// All files by their paths.
  static let all: [String: PageFile] = {
    let files = unsafe UnsafeBufferPointer(start: studio_file_table(), count: studio_file_count())
    return unsafe Dictionary(
      uniqueKeysWithValues: files.map { file in
        let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.size)
        return unsafe (
          String(cString: file.name),
          PageFile(type: String(cString: file.type), bytes: Array(bytes))
        )
      })
  }()
}
