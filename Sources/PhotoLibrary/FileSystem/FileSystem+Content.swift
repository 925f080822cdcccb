public import SystemPackage

extension FileSystem {
  /// Creates a small file with these bytes at `path`, and replaces any file there.
  ///
  /// The replacement is atomic and durable.
  public func replace(
    _ path: FilePath, with bytes: [UInt8], permissions: FilePermissions = .newFile
  ) throws(FileSystemError) {
    try replace(path, permissions: permissions) { file throws(FileSystemError) in
      try write(bytes, to: file)
    }
  }

  /// Creates a file at `path`, calls `content` to write its bytes, and replaces any file there.
  ///
  /// The replacement is atomic and durable.
  func replace(
    _ path: FilePath, permissions: FilePermissions = .newFile,
    content: (File) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    let folder = path.removingLastComponent()
    let temporary = folder.appending(TemporaryName().component)
    let file = try create(temporary)
    do throws(FileSystemError) {
      try content(file)
      try setPermissions(permissions, of: file)
      try synchronize(file)
      try rename(temporary, to: path, .replacing)
    } catch {
      // An error of `remove` is ignored, because the first error is thrown. A later run removes the
      // temporary file if it remains.
      try? remove(temporary)
      throw error
    }
    try synchronize(folder: folder)
  }
}

extension FileSystem {
  /// Appends all bytes of one file to another file.
  public func copy(_ file: File, to target: File) throws(FileSystemError) {
    var offset: Int64 = 0
    while true {
      let bytes = try read(file, at: offset, count: 1 << 20)
      if bytes.isEmpty { return }
      try write(bytes, to: target)
      offset += Int64(bytes.count)
    }
  }
}
