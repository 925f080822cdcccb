public import SystemPackage

extension FileSystem {
  /// Writes a small file with these bytes and gives it the name `path`, in place of any file that
  /// has the name.
  ///
  /// The replacement is atomic and durable.
  public func replace(
    _ path: FilePath, with bytes: [UInt8], permissions: FilePermissions = .newFile
  ) throws(FileSystemError) {
    try replace(path, permissions: permissions) { file throws(FileSystemError) in
      try write(bytes, to: file)
    }
  }

  /// Gives a new file, whose bytes `content` writes, the name `path`, in place of any file that has
  /// the name.
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
      // The first error is the one to report. If the file cannot be removed here, a later run
      // removes it.
      try? remove(temporary)
      throw error
    }
    try synchronize(folder: folder)
  }
}

extension FileSystem {
  /// Appends all bytes of one file to those already written to another.
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
