import StudioPage

/// A file of the page, which is part of the program.
struct PageFile: Sendable {
  let type: String
  let bytes: [UInt8]

  /// All files by their paths; the modules of the script are in the file of the first one.
  static let all: [String: PageFile] = {
    let modules = embedded.filter { $0.key.hasSuffix(".js") }
    var files = embedded.filter { modules[$0.key] == nil }
    let script = PageScript(
      main, modules.mapValues { String(decoding: $0.bytes, as: UTF8.self) })
    files[main] = embedded[main].map { PageFile(type: $0.type, bytes: Array(script.text.utf8)) }
    return files
  }()

  private static let main = "/main.js"

  /// The files as they are written.
  static let embedded: [String: PageFile] = {
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
